import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import {
  insertPerson,
  listPersonRows,
  lockPeople,
  type PersonRow,
  personRows,
  removePerson,
  removePersonVoices,
} from '../../store/records/index.js';
import {
  type ChangeOf,
  type CreationOf,
  personBounds,
  personRecord,
  type ShownOf,
} from '../../wire/records/index.js';
import { createOnce, cursorsOf, type Paged, type PageRequest, time, uuid } from '../rules/index.js';
import { refusalsOf, shownForm, valuesOf } from './record-values.js';

const cursors = cursorsOf('people', z.tuple([time, uuid]));

const values = valuesOf(personRecord);
const { notFound, found } = refusalsOf(personRecord);
const view = shownForm(personRecord, 'developer');

export type Person = ShownOf<typeof personRecord>;

/**
 * Adds a person whom the user knows.
 * @param key a repetition with the same key creates nothing more.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
 */
export const createPerson = async (
  sql: Sql,
  uid: string,
  given: CreationOf<typeof personRecord>,
  key?: string | null,
): Promise<Person> => {
  const now = new Date();
  const row = { ...values.created(given), id: uuidv7(), created_at: now, updated_at: now };
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
    read: (ids) => personRows.byIds(sql, uid, ids),
  });
  return view(created!);
};

/** Returns a page of a user's people, oldest record first. */
export const listPeople = async (sql: Sql, uid: string, query: PageRequest): Promise<Paged<Person>> =>
  cursors.paged(await listPersonRows(sql, uid, cursors.page(query)), view);

/** Returns one of a user's people. @throws CochleaError `record_not_found` */
export const getPerson = async (sql: Sql, uid: string, id: string): Promise<Person> => {
  const [row] = await personRows.byIds(sql, uid, [id]);
  return view(found(row));
};

/** Changes a person. @throws CochleaError `validation_failed`, `record_not_found` */
export const updatePerson = async (
  sql: Sql,
  uid: string,
  id: string,
  patch: ChangeOf<typeof personRecord>,
): Promise<Person> => {
  const changes = values.changed(patch);
  const row = (await sql.begin(async (transaction) => {
    found(await personRows.lock(transaction, uid, id));
    return personRows.change(transaction, id, { ...changes, updated_at: new Date() });
  })) as PersonRow;
  return view(row);
};

/** Deletes a person. Segments of the person stay, without the name. @throws CochleaError `record_not_found` */
export const deletePerson = async (sql: Sql, uid: string, id: string): Promise<void> => {
  if (!(await removePerson(sql, uid, id))) throw notFound();
};

/** Deletes the stored voice data of a person. @throws CochleaError `record_not_found` */
export const deletePersonVoice = async (sql: Sql, uid: string, id: string): Promise<void> => {
  if (!(await removePersonVoices(sql, uid, id))) throw notFound();
};
