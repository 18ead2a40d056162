import type { Sql, TransactionSql } from '../client/index.js';

/** Retained audio and the state of its transcription job. */
export interface RetainedRow {
  readonly key: string;
  readonly state: 'waiting' | 'done' | 'dead';
}

/**
 * Records retained audio that was found at a storage location (`place`). Changes rows that name a different location.
 * @returns the state of each key
 */
export const noteRetained = async (
  sql: Sql,
  place: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RetainedRow['state']>> => {
  if (keys.length === 0) return new Map();
  await sql`
    insert into retained_audio (key, place) select key, ${place}::text from unnest(${keys as string[]}::text[]) as found (key)
    on conflict (key) do update set place = excluded.place where retained_audio.place <> excluded.place`;
  const rows = await sql<RetainedRow[]>`
    select key, state from retained_audio where key = any(${keys as string[]})`;
  return new Map(rows.map(({ key, state }) => [key, state]));
};

/**
 * Takes due audio of a storage location (`place`) for the queue. Users take turns: first comes the oldest audio of each
 * user, then each user's next audio.
 * @param pause seconds after which the audio is due again, in case its job is lost.
 * @returns at most `limit` keys, in the order of the users' turns.
 */
export const takeDueRetained = async (
  sql: Sql,
  place: string,
  pause: number,
  limit: number,
): Promise<{ readonly key: string }[]> => {
  // The second part of a key is the hash of its user. The uid itself is only known after reading the audio.
  const rows = await sql<{ key: string }[]>`
    with turns as (
      select key, row_number() over (partition by split_part(key, '_', 2) order by key) as turn
      from retained_audio where place = ${place} and state = 'waiting' and due_at <= now()),
    next as (
      select due.key from retained_audio due join turns using (key)
      where due.state = 'waiting' and due.due_at <= now()
      order by turns.turn, due.key limit ${limit} for update of due skip locked),
    taken as (
      update retained_audio set due_at = now() + make_interval(secs => ${pause})
      where key in (select key from next) returning key)
    select key from taken join turns using (key) order by turn, key`;
  return [...rows];
};

/** Counts an attempt. @returns the number of attempts, including this one; null when the audio does not wait */
export const beginRetained = async (sql: Sql, key: string, pause: number): Promise<number | null> => {
  const [row] = await sql<{ attempts: number }[]>`
    update retained_audio set attempts = attempts + 1, due_at = now() + make_interval(secs => ${pause})
    where key = ${key} and state = 'waiting' returning attempts`;
  return row?.attempts ?? null;
};

/** Delays the next attempt by `pause` seconds, because an attempt is running or cannot begin yet. */
export const extendRetained = async (sql: Sql, key: string, pause: number): Promise<void> => {
  await sql`
    update retained_audio set due_at = now() + make_interval(secs => ${pause}) where key = ${key} and state = 'waiting'`;
};

/** Postpones an attempt that could not be made yet. The attempt does not count. */
export const postponeRetained = async (sql: Sql, key: string, seconds: number): Promise<void> => {
  await sql`
    update retained_audio set attempts = greatest(0, attempts - 1), due_at = now() + make_interval(secs => ${seconds})
    where key = ${key} and state = 'waiting'`;
};

/**
 * Ends the job of retained audio, in the transaction that stores its words.
 * @param error code of the error when the audio is given up; null when it is done.
 * @param kept whether the row stays as long as its user has an account. Set it when the audio may appear again, because
 *   its words would be stored twice without the row.
 * @returns false when the job was ended before. The caller must then store nothing.
 */
export const endRetained = async (
  sql: Sql | TransactionSql,
  key: string,
  uid: string | null,
  error: string | null,
  kept = false,
): Promise<boolean> => {
  // With an infinite time, the row is outside the index range that `forgetRetained` scans.
  const ended = await sql`
    update retained_audio set state = ${error === null ? 'done' : 'dead'}, error = ${error},
      ended_at = case when ${kept}::boolean then 'infinity' else now() end,
      uid = coalesce((select users.uid from users where users.uid = ${uid}::text), uid)
    where key = ${key} and state = 'waiting' returning 1 as ended`;
  return ended.length > 0;
};

/** Number of seconds for which the row of an ended job stays after its audio is gone. Rows ended with `kept` stay longer. */
const remembered = 86_400;

/** Removes ended jobs whose audio is gone. @param there keys of the audio that is still at the storage location */
export const forgetRetained = async (sql: Sql, place: string, there: readonly string[]): Promise<void> => {
  await sql`
    delete from retained_audio
    where place = ${place} and state <> 'waiting' and ended_at < now() - make_interval(secs => ${remembered})
      and key <> all(${there as string[]})`;
};

/** A transcription job of retained audio, as shown to operators. */
export interface RetainedDetails {
  readonly key: string;
  readonly uid: string | null;
  readonly attempts: number;
  readonly error: string | null;
}

/** Reads details of the jobs with these keys. */
export const retainedDetails = async (
  sql: Sql,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RetainedDetails>> => {
  const rows = await sql<RetainedDetails[]>`
    select key, uid, attempts, error from retained_audio where key = any(${keys as string[]})`;
  return new Map(rows.map((row) => [row.key, row]));
};

/** Removes jobs after an operator has removed their audio. */
export const dropRetained = async (sql: Sql, keys: readonly string[]): Promise<void> => {
  await sql`delete from retained_audio where key = any(${keys as string[]})`;
};

/** Removes a waiting job without audio. Ended jobs remain. */
export const dropWaiting = async (sql: Sql, key: string): Promise<void> => {
  await sql`delete from retained_audio where key = ${key} and state = 'waiting'`;
};
