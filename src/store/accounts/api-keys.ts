import { validate as isUuid } from 'uuid';
import { firstRow, hasRows, type Sql } from '../client/index.js';

export type KeyFamily = 'dev' | 'mcp';

export interface ApiKeyRow {
  readonly id: string;
  readonly uid: string;
  readonly family: KeyFamily;
  readonly name: string;
  readonly hashed_key: string;
  readonly key_prefix: string;
  readonly scopes: string[] | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export type NewApiKey = Omit<ApiKeyRow, 'created_at' | 'last_used_at'>;

/** The columns of an `ApiKeyRow`. */
export const keyColumns = 'id, uid, family, name, hashed_key, key_prefix, scopes, created_at, last_used_at';

/**
 * Adds a key. Returns null when its user already has `limit` keys of the family that are not revoked. Concurrent
 * requests of a user wait for each other, so they cannot exceed the limit together. Rejects with PostgreSQL's error
 * 23503 when the user does not exist.
 */
export const insertApiKey = (sql: Sql, key: NewApiKey, limit: number): Promise<ApiKeyRow | null> =>
  sql.begin(async (transaction) => {
    await transaction`select 1 from users where uid = ${key.uid} for no key update`;
    const [held] = await transaction<{ live: number }[]>`
      select count(*)::int as live from api_keys
      where uid = ${key.uid} and family = ${key.family} and revoked_at is null`;
    if (held!.live >= limit) return null;
    const [row] = await transaction<ApiKeyRow[]>`
      insert into api_keys (id, uid, family, name, hashed_key, key_prefix, scopes)
      values (${key.id}, ${key.uid}, ${key.family}, ${key.name}, ${key.hashed_key}, ${key.key_prefix}, ${key.scopes})
      returning ${sql.unsafe(keyColumns)}`;
    return row!;
  }) as Promise<ApiKeyRow | null>;

/**
 * Returns a user's keys that are not revoked, newest first. Keys that were created at the same time are ordered by id.
 */
export const apiKeysOf = (sql: Sql, uid: string, family: KeyFamily): Promise<ApiKeyRow[]> => sql<ApiKeyRow[]>`
  select ${sql.unsafe(keyColumns)}
  from api_keys where uid = ${uid} and family = ${family} and revoked_at is null
  order by created_at desc, id`;

/**
 * Checks whether the use of a key must be recorded. The result is true at most once a minute, so that most requests
 * with a busy key do not write to the database.
 */
export const isUseDue = ({ last_used_at: last }: ApiKeyRow): boolean =>
  last === null || Date.now() - last.getTime() > 60_000;

/** Records that a key was used, if the last record is over a minute old. */
export const recordUse = async (sql: Sql, key: ApiKeyRow): Promise<void> => {
  if (!isUseDue(key)) return;
  const { id } = key;
  // Another sidecar may have recorded a use meanwhile.
  await sql`
    update api_keys set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
};

/** Returns the key with this hash and records its use. Null when no key has the hash, or when it was revoked. */
export const useApiKey = async (
  sql: Sql,
  family: KeyFamily,
  hashedKey: string,
): Promise<ApiKeyRow | null> => {
  const [row] = await sql<ApiKeyRow[]>`
    select ${sql.unsafe(keyColumns)} from api_keys
    where hashed_key = ${hashedKey} and family = ${family} and revoked_at is null`;
  if (!row) return null;
  await recordUse(sql, row);
  return row;
};

/** Replaces the secret of a live key and clears the time of its last use. @returns null when this user has no such key. */
export const replaceSecret = async (
  sql: Sql,
  uid: string,
  family: KeyFamily,
  id: string,
  hashedKey: string,
  keyPrefix: string,
): Promise<ApiKeyRow | null> => {
  if (!isUuid(id)) return null;
  return firstRow(sql<ApiKeyRow[]>`
    update api_keys set hashed_key = ${hashedKey}, key_prefix = ${keyPrefix}, last_used_at = null
    where id = ${id} and uid = ${uid} and family = ${family} and revoked_at is null
    returning ${sql.unsafe(keyColumns)}`);
};

/** Revokes a live key of a user. @returns whether there was such a key */
export const revokeApiKeyRow = async (
  sql: Sql,
  uid: string,
  family: KeyFamily,
  id: string,
): Promise<boolean> => {
  if (!isUuid(id)) return false;
  return hasRows(sql`
    update api_keys set revoked_at = now()
    where id = ${id} and uid = ${uid} and family = ${family} and revoked_at is null returning id`);
};

/**
 * Number of days for which a revoked key stays stored. During this time, an operator can look up the owner of a key
 * that a log line mentions.
 */
const keptDays = 90;

/** Removes keys revoked more than 90 days ago; at most `limit` in one call. */
export const sweepRevokedKeys = async (sql: Sql, limit = 1000): Promise<void> => {
  await sql`
    delete from api_keys where id = any(array(
      select id from api_keys where revoked_at < now() - make_interval(days => ${keptDays})
      order by revoked_at limit ${limit} for update skip locked))`;
};
