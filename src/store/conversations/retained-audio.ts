import type { Sql, TransactionSql } from '../client/index.js';

/** What is known of retained audio whose job is not done. */
export interface RetainedRow {
  readonly key: string;
  readonly state: 'waiting' | 'done' | 'dead';
}

/** Notes audio that was found in a place, which may have been in another one before. @returns the state of each key. */
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
 * Takes audio of a place that is due, so that it can be put into the queue: of each user the oldest, then of each the next.
 * @param pause seconds after which it is due again, should its job have been lost.
 * @returns at most `limit`, in their turns.
 */
export const takeDueRetained = async (
  sql: Sql,
  place: string,
  pause: number,
  limit: number,
): Promise<{ readonly key: string }[]> => {
  // The second part of a key is the hash of its user, who is not known before the audio is read.
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

/** Counts an attempt. @returns how many there were; null when the audio does not wait. */
export const beginRetained = async (sql: Sql, key: string, pause: number): Promise<number | null> => {
  const [row] = await sql<{ attempts: number }[]>`
    update retained_audio set attempts = attempts + 1, due_at = now() + make_interval(secs => ${pause})
    where key = ${key} and state = 'waiting' returning attempts`;
  return row?.attempts ?? null;
};

/** An attempt goes on, or cannot be begun yet: it is due again when `pause` seconds have passed. */
export const extendRetained = async (sql: Sql, key: string, pause: number): Promise<void> => {
  await sql`
    update retained_audio set due_at = now() + make_interval(secs => ${pause}) where key = ${key} and state = 'waiting'`;
};

/** Puts an attempt off that could not be made yet: it does not count. */
export const postponeRetained = async (sql: Sql, key: string, seconds: number): Promise<void> => {
  await sql`
    update retained_audio set attempts = greatest(0, attempts - 1), due_at = now() + make_interval(secs => ${seconds})
    where key = ${key} and state = 'waiting'`;
};

/**
 * Ends the job of retained audio, in the transaction that stores its words.
 * @param error code of the error for which it is given up; null when it is done.
 * @param kept it is never forgotten while its user has an account, because the audio may come back and would be stored again.
 * @returns false when it was ended before: nothing may be stored then.
 */
export const endRetained = async (
  sql: Sql | TransactionSql,
  key: string,
  uid: string | null,
  error: string | null,
  kept = false,
): Promise<boolean> => {
  // An infinite time lies behind the part of the index in which what can be forgotten is looked for.
  const ended = await sql`
    update retained_audio set state = ${error === null ? 'done' : 'dead'}, error = ${error},
      ended_at = case when ${kept}::boolean then 'infinity' else now() end,
      uid = coalesce((select users.uid from users where users.uid = ${uid}::text), uid)
    where key = ${key} and state = 'waiting' returning 1 as ended`;
  return ended.length > 0;
};

/** Seconds for which an ended job is remembered after its audio is gone, unless it is kept. */
const remembered = 86_400;

/** Forgets ended jobs whose audio is not in the place any more. */
export const forgetRetained = async (sql: Sql, place: string, there: readonly string[]): Promise<void> => {
  await sql`
    delete from retained_audio
    where place = ${place} and state <> 'waiting' and ended_at < now() - make_interval(secs => ${remembered})
      and key <> all(${there as string[]})`;
};

/** What operators see of a job of retained audio. */
export interface RetainedDetails {
  readonly key: string;
  readonly uid: string | null;
  readonly attempts: number;
  readonly error: string | null;
}

/** Details of those of these keys for which there is a job. */
export const retainedDetails = async (
  sql: Sql,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RetainedDetails>> => {
  const rows = await sql<RetainedDetails[]>`
    select key, uid, attempts, error from retained_audio where key = any(${keys as string[]})`;
  return new Map(rows.map((row) => [row.key, row]));
};

/** Forgets jobs whose audio an operator has removed. */
export const dropRetained = async (sql: Sql, keys: readonly string[]): Promise<void> => {
  await sql`delete from retained_audio where key = any(${keys as string[]})`;
};

/** Forgets a job whose audio is not where it was. One that has ended meanwhile stays. */
export const dropWaiting = async (sql: Sql, key: string): Promise<void> => {
  await sql`delete from retained_audio where key = ${key} and state = 'waiting'`;
};
