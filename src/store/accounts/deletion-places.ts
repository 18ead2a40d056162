import type { Sql } from '../client/index.js';

/**
 * Stores for each place which deletions of accounts it has carried out. A place is the data folder of one engine
 * process, or the fleet's stream with copies of spills. Each place has only one row, whatever the number of deletions.
 */

/**
 * Number of days after which the row of an unused place is removed. A place that is used again later repeats all
 * deletions.
 */
const placeLifetime = 30;

/** Deletions that a place has not carried out. */
export interface UnconfirmedDeletions {
  /** SHA-256 of the user ids. */
  readonly hashes: readonly string[];
  /** Number of the newest of these deletions; 0 if there are none. */
  readonly newest: number;
}

/** Returns the deletions that a place has not confirmed: its files may still contain data of these users. */
export const unconfirmedDeletions = async (sql: Sql, place: string): Promise<UnconfirmedDeletions> => {
  const rows = await sql<{ uid_hash: string; number: number }[]>`
    select uid_hash, number from account_deletions
    where number > coalesce((select confirmed from account_deletion_places where place = ${place}), 0)
    order by number`;
  return { hashes: rows.map(({ uid_hash }) => uid_hash), newest: rows.at(-1)?.number ?? 0 };
};

/**
 * Records that a place has carried out the deletions up to `newest`. The place must have no data of the deleted users,
 * and must not store such data later.
 * @param newest number of the newest of these deletions. The place has carried out all earlier ones, too.
 */
export const confirmDeletions = async (sql: Sql, place: string, newest: number): Promise<void> => {
  await sql`
    insert into account_deletion_places as p (place, confirmed) values (${place}, ${newest})
    on conflict (place) do update set confirmed = greatest(p.confirmed, excluded.confirmed), seen_at = now()`;
};

/** Records that a place is in use, and removes the rows of places that have not been used for a long time. */
export const seePlace = async (sql: Sql, place: string): Promise<void> => {
  await sql`update account_deletion_places set seen_at = now() where place = ${place}`;
  await sql`delete from account_deletion_places where seen_at < now() - make_interval(days => ${placeLifetime})`;
};
