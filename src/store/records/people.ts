import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type NewRowOf, personBounds, personRecord, type RowOf } from '../../wire/records/index.js';
import {
  hasRows,
  type Listed,
  listed,
  lockForUser,
  moment,
  type Page,
  type Sql,
  type TransactionSql,
} from '../client/index.js';
import { columnsOf, recordRows } from './record-rows.js';

/** A person that a user knows, with the number of stored voice samples. */
export type PersonRow = RowOf<typeof personRecord>;

const queries = {
  voice_samples: '(select count(*) from voice_profiles v where v.person_id = people.id)::integer',
};
export const personRows = recordRows(personRecord, { queries });
const { selected } = columnsOf(personRecord, queries);

/** Serializes transactions that add people to a user. */
export const lockPeople = (sql: TransactionSql, uid: string): Promise<void> =>
  lockForUser(sql, 'people', uid);

type NewPerson = Pick<PersonRow, 'id' | 'name' | 'created_at' | 'updated_at'> &
  Partial<NewRowOf<typeof personRecord>>;

/** Adds a person. Needs `lockPeople`. @returns null when the user already knows `most` people. */
export const insertPerson = async (
  sql: TransactionSql,
  uid: string,
  person: NewPerson,
  most: number,
): Promise<PersonRow | null> => {
  const [held] = await sql<
    { count: number }[]
  >`select count(*)::integer as count from people where uid = ${uid}`;
  if (held!.count >= most) return null;
  const [row] = await sql<PersonRow[]>`
    insert into people ${sql({ ...person, uid } as never)} returning ${sql.unsafe(selected)}`;
  return row!;
};

/** Reads a page of a user's people. The person added first comes first. */
export const listPersonRows = async (
  sql: Sql,
  uid: string,
  { after, limit, offset }: Page,
): Promise<Listed<PersonRow>> => {
  const [created, id] = after ?? [];
  const rows = await sql<PersonRow[]>`
    select ${sql.unsafe(selected)} from people
    where uid = ${uid} ${after ? sql`and (created_at, id) > (${moment(sql, created!)}, ${id!}::uuid)` : sql``}
    order by created_at, id limit ${limit + 1} offset ${offset}`;
  return listed(rows, limit, (row) => [row.created_at.toISOString(), row.id]);
};

/** Result of looking up the person that a client identifies by an id and a name. */
export type ResolvedPerson =
  | { readonly kind: 'person'; readonly id: string; readonly isNew?: boolean }
  /** The person does not exist, and the client gave no name to add the person with. */
  | { readonly kind: 'unknown' }
  /** The user already has the maximum number of people. */
  | { readonly kind: 'full' };

/**
 * Looks for one of a user's people by id, then by name. If neither matches, adds a person with this name. The new
 * person gets the given id if the id is an unused UUID.
 * @param given id and name from the client. The name must be storable and within its length limit. An empty name adds
 *   no person.
 */
export const resolvePerson = async (
  sql: Sql,
  uid: string,
  given: { readonly id: string; readonly name: string },
): Promise<ResolvedPerson> => {
  const [known] = await personRows.byIds(sql, uid, [given.id]);
  if (known) return { kind: 'person', id: known.id };
  if (given.name === '') return { kind: 'unknown' };
  return sql.begin((transaction) => personNamed(transaction, uid, given)) as Promise<ResolvedPerson>;
};

/**
 * Looks for one of a user's people by name, in the caller's transaction. If none matches, adds a person with this name.
 * @param given as in `resolvePerson`, but the name is not empty.
 */
export const personNamed = async (
  sql: TransactionSql,
  uid: string,
  given: { readonly id: string; readonly name: string },
): Promise<ResolvedPerson> => {
  await lockPeople(sql, uid);
  const [named] = await sql<{ id: string }[]>`
    select id from people where uid = ${uid} and lower(name) = lower(${given.name}) order by created_at, id limit 1`;
  if (named) return { kind: 'person', id: named.id };
  const now = new Date();
  const id = (await isFree(sql, given.id)) ? given.id : uuidv7();
  const person = { id, name: given.name, created_at: now, updated_at: now };
  const added = await insertPerson(sql, uid, person, personBounds.people);
  return added === null ? { kind: 'full' } : { kind: 'person', id: added.id, isNew: true };
};

const isFree = async (sql: TransactionSql, id: string): Promise<boolean> => {
  if (!isUuid(id)) return false;
  const [taken] = await sql`select 1 as taken from people where id = ${id}`;
  return taken === undefined;
};

/** Removes a person. @returns whether the person existed */
export const removePerson = async (sql: Sql, uid: string, id: string): Promise<boolean> => {
  if (!isUuid(id)) return false;
  return hasRows(sql`delete from people where id = ${id} and uid = ${uid} returning 1 as removed`);
};

/**
 * Removes a person if no segment has the person, no voice of the person is stored, and the user has not changed the
 * person.
 * @returns whether the person was removed
 */
export const removeUnusedPerson = async (sql: TransactionSql, uid: string, id: string): Promise<boolean> => {
  if (!isUuid(id)) return false;
  await lockPeople(sql, uid);
  return hasRows(sql`
    delete from people p where id = ${id} and uid = ${uid} and updated_at = created_at
      and not exists (select from segments s where s.person_id = p.id::text and not s.deleted)
      and not exists (select from voice_profiles v where v.person_id = p.id)
    returning 1 as removed`);
};
