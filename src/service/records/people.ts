import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { isoUtc } from '../../store/record/index.js';
import {
  insertPerson,
  listPersonRows,
  lockPeople,
  type PersonRow,
  peopleById,
  removePerson,
  removePersonVoices,
  renamePerson,
} from '../../store/records/index.js';
import { personBounds } from '../../wire/records/index.js';
import {
  createOnce,
  cursorsOf,
  type Paged,
  type PageRequest,
  requiredText,
  time,
  uuid,
} from '../rules/index.js';

const cursors = cursorsOf('people', z.tuple([time, uuid]));

const view = (row: PersonRow) => ({
  id: row.id,
  name: row.name,
  created_at: isoUtc(row.created_at),
  updated_at: isoUtc(row.updated_at),
  voice_samples: row.voice_samples,
});

export type Person = ReturnType<typeof view>;

const notFound = (): CochleaError => new CochleaError('record_not_found', { kind: 'Person' });

/**
 * Adds a person whom a user knows.
 * @param key repeats with the same key create nothing more.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
 */
export const createPerson = async (
  sql: Sql,
  uid: string,
  given: { readonly name: string },
  key?: string | null,
): Promise<Person> => {
  const name = requiredText('name', given.name, personBounds.name);
  const now = new Date();
  const row = { id: uuidv7(), name, created_at: now, updated_at: now };
  const [created] = await createOnce<PersonRow>(sql, {
    uid,
    operation: 'people',
    key,
    given,
    make: async (transaction) => {
      await lockPeople(transaction, uid);
      const person = await insertPerson(transaction, uid, row, personBounds.people);
      if (!person) throw new CochleaError('records_full', { kind: 'people', limit: personBounds.people });
      return [person];
    },
    read: (ids) => peopleById(sql, uid, ids),
  });
  return view(created!);
};

/** A part of the people of a user, those known longest first. */
export const listPeople = async (sql: Sql, uid: string, query: PageRequest): Promise<Paged<Person>> =>
  cursors.paged(await listPersonRows(sql, uid, cursors.page(query)), view);

/** One of the people of a user. @throws CochleaError `record_not_found` */
export const getPerson = async (sql: Sql, uid: string, id: string): Promise<Person> => {
  const [row] = await peopleById(sql, uid, [id]);
  if (!row) throw notFound();
  return view(row);
};

/** Renames a person. @throws CochleaError `validation_failed`, `record_not_found` */
export const updatePerson = async (
  sql: Sql,
  uid: string,
  id: string,
  given: { readonly name: string },
): Promise<Person> => {
  const row = await renamePerson(sql, uid, id, requiredText('name', given.name, personBounds.name));
  if (!row) throw notFound();
  return view(row);
};

/** Deletes a person. What the person said stays, without the name. @throws CochleaError `record_not_found` */
export const deletePerson = async (sql: Sql, uid: string, id: string): Promise<void> => {
  if (!(await removePerson(sql, uid, id))) throw notFound();
};

/** Deletes what is kept of a person's voice. @throws CochleaError `record_not_found` */
export const deletePersonVoice = async (sql: Sql, uid: string, id: string): Promise<void> => {
  if (!(await removePersonVoices(sql, uid, id))) throw notFound();
};
