import { signInLimits } from '../../config/limits/index.js';
import { firstRow, hasRows, type Sql, type TransactionSql } from '../client/index.js';

/** Hours without a request after which a session ends. */
const idleHours = 12;
/** Maximum age of a session in days. A session ends at this age, even if it is still used. */
const longestDays = 14;
/** Maximum age of a session in seconds. */
export const longestConsoleSession = longestDays * 86_400;
/** Minutes for which a link works. */
const linkMinutes = 10;

const idle = `make_interval(hours => ${idleHours})`;
const longest = `make_interval(days => ${longestDays})`;
const linkAge = `make_interval(mins => ${linkMinutes})`;

/** A browser's session at the console. */
export interface ConsoleSessionRow {
  /** SHA-256 of the cookie. */
  readonly hash: string;
  readonly uid: string;
  readonly created_at: Date;
  /** When the session ends if no further request comes. */
  readonly expires_at: Date;
  /** Whether the user's account is being deleted. */
  readonly deleting: boolean;
}

/**
 * Returns the session with this hash; null when it is unknown or has ended. Records its use, at most once a minute.
 */
export const useConsoleSession = async (sql: Sql, hash: string): Promise<ConsoleSessionRow | null> => {
  const [row] = await sql<(ConsoleSessionRow & { stale: boolean })[]>`
    select s.hash, s.uid, s.created_at, u.deleting_at is not null as deleting,
      least(s.created_at + ${sql.unsafe(longest)}, now() + ${sql.unsafe(idle)}) as expires_at,
      s.used_at < now() - interval '1 minute' as stale
    from console_sessions s join users u on u.uid = s.uid
    where s.hash = ${hash} and s.used_at > now() - ${sql.unsafe(idle)} and s.created_at > now() - ${sql.unsafe(longest)}`;
  if (!row) return null;
  const { stale, ...session } = row;
  if (stale && !session.deleting) {
    await sql`
      update console_sessions set used_at = now()
      where hash = ${hash} and used_at < now() - interval '1 minute'`;
  }
  return session;
};

/**
 * Locks a user's row until the transaction ends. Signing out everywhere, a new password and a deletion change this row,
 * and then remove sessions and links. Without the lock, a session could begin between the change and the removal.
 * @returns the time before which tokens of the user are invalid, in ms since the epoch; null when there is no such
 *   user.
 */
const holdUser = async (sql: TransactionSql, uid: string): Promise<number | null> => {
  const [row] = await sql<{ floor: number }[]>`
    select coalesce(extract(epoch from tokens_not_before) * 1000, 0)::double precision as floor
    from users where uid = ${uid} and deleting_at is null for share`;
  return row?.floor ?? null;
};

/** Inserts a session. If the user then has too many sessions, ends those that were used longest ago. */
const insertSession = async (
  sql: TransactionSql,
  uid: string,
  hash: string,
  issuerSession: string | null = null,
): Promise<void> => {
  await sql`
    insert into console_sessions (hash, uid, issuer_session) values (${hash}, ${uid}, ${issuerSession})`;
  await sql`
    delete from console_sessions where uid = ${uid} and hash not in (
      select hash from console_sessions where uid = ${uid}
      order by hash = ${hash} desc, used_at desc limit ${signInLimits.consoleSessionsPerUser.value})`;
};

/**
 * Begins a session of a user who has just signed in.
 * @param hash SHA-256 of the session's cookie.
 * @param issuedAt when the sign-in was confirmed, ms since the epoch.
 * @param issuerSession SHA-256 of the id of the session at the operator's own issuer, in which the user signed in; null
 *   if there is no such issuer.
 * @returns false when the user is unknown, is being deleted, or has signed out everywhere since `issuedAt`.
 */
export const openConsoleSession = (
  sql: Sql,
  uid: string,
  hash: string,
  issuedAt: number,
  issuerSession: string | null,
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const floor = await holdUser(transaction, uid);
    if (floor === null || issuedAt < floor) return false;
    await insertSession(transaction, uid, hash, issuerSession);
    return true;
  }) as Promise<boolean>;

/**
 * Begins a session with a link. The link then no longer works.
 * @param link SHA-256 of the link's secret. @param hash SHA-256 of the session's cookie.
 * @returns the uid of the link's user; null when the link is unknown, was used, or is too old.
 */
export const openConsoleSessionByLink = (sql: Sql, link: string, hash: string): Promise<string | null> =>
  sql.begin(async (transaction) => {
    const [found] = await transaction<{ uid: string }[]>`select uid from console_links where hash = ${link}`;
    // Locks the user's row before the link's row, to avoid deadlocks. Signing out everywhere locks in the same order.
    if (!found || (await holdUser(transaction, found.uid)) === null) return null;
    const used = await hasRows(transaction`
      delete from console_links
      where hash = ${link} and created_at > now() - ${transaction.unsafe(linkAge)} returning 1 as used`);
    if (!used) return null;
    await insertSession(transaction, found.uid, hash);
    return found.uid;
  }) as Promise<string | null>;

/** Ends a session. @param hash SHA-256 of its cookie. */
export const endConsoleSession = async (sql: Sql, hash: string): Promise<void> => {
  await sql`delete from console_sessions where hash = ${hash}`;
};

/** A session at the console as its user sees it. */
export interface ConsoleBrowserRow {
  /** Identifies the session. The id gives no access to it. */
  readonly id: string;
  readonly hash: string;
  readonly created_at: Date;
  /** Time of the last use, accurate to a minute. */
  readonly used_at: Date;
}

/** SQL for the id of a session: the first half of its hash. The whole hash is never sent to a client. */
const idOf = 'left(hash, 32)';

/** Returns a user's sessions at the console, last used first. */
export const consoleBrowsersOf = (sql: Sql, uid: string): Promise<ConsoleBrowserRow[]> =>
  sql<ConsoleBrowserRow[]>`
    select ${sql.unsafe(idOf)} as id, hash, created_at, used_at from console_sessions
    where uid = ${uid} and used_at > now() - ${sql.unsafe(idle)} and created_at > now() - ${sql.unsafe(longest)}
    order by used_at desc, hash`;

/** Ends a session of a user. Does nothing if the user has no such session. */
export const endConsoleBrowser = async (sql: Sql, uid: string, id: string): Promise<void> => {
  await sql`delete from console_sessions where uid = ${uid} and ${sql.unsafe(idOf)} = ${id}`;
};

/** Ends the sessions and links of a user. @param kept hash of a session that stays; null if no session stays. */
export const endConsoleBrowsers = async (sql: Sql, uid: string, kept: string | null): Promise<void> => {
  await sql`delete from console_links where uid = ${uid}`;
  await sql`delete from console_sessions where uid = ${uid} and hash is distinct from ${kept}`;
};

/**
 * Ends the console sessions whose sign-in happened in one given session at the operator's own issuer.
 * @param issuerSession SHA-256 of the id of the issuer's session.
 * @param uid user of the issuer's session; null if the issuer does not name the user.
 */
export const endIssuerSession = async (
  sql: Sql,
  issuerSession: string,
  uid: string | null,
): Promise<void> => {
  await sql`
    delete from console_sessions
    where issuer_session = ${issuerSession} and (${uid}::text is null or uid = ${uid})`;
};

/** Ends a user's sessions and links that began before a time. @param before ms since the epoch. */
export const endConsoleBefore = async (sql: Sql, uid: string, before: number): Promise<void> => {
  const time = new Date(before);
  await sql`delete from console_links where uid = ${uid} and created_at < ${time}`;
  await sql`delete from console_sessions where uid = ${uid} and created_at < ${time}`;
};

/**
 * Stores a link for a user, in place of the user's oldest link if there are too many.
 * @param hash SHA-256 of the link's secret.
 * @returns number of seconds until the link expires. Rejects with PostgreSQL's error 23503 when there is no such user.
 */
export const storeConsoleLink = async (sql: Sql, uid: string, hash: string): Promise<number> => {
  await sql.begin(async (transaction) => {
    await transaction`insert into console_links (hash, uid) values (${hash}, ${uid})`;
    await transaction`
      delete from console_links where uid = ${uid} and hash not in (
        select hash from console_links where uid = ${uid}
        order by hash = ${hash} desc, created_at desc limit ${signInLimits.consoleLinksPerUser.value})`;
  });
  return linkMinutes * 60;
};

/**
 * Returns the user of a link, and the number of seconds until the link expires. Null when the link is unknown, was
 * used, or is too old.
 */
export const findConsoleLink = (
  sql: Sql,
  hash: string,
): Promise<{ readonly uid: string; readonly seconds: number } | null> =>
  firstRow(sql<{ uid: string; seconds: number }[]>`
    select l.uid, ceil(extract(epoch from l.created_at + ${sql.unsafe(linkAge)} - now()))::integer as seconds
    from console_links l join users u on u.uid = l.uid
    where l.hash = ${hash} and u.deleting_at is null and l.created_at > now() - ${sql.unsafe(linkAge)}`);

/**
 * Removes up to `limit` sessions that were unused for too long, `limit` sessions that began too long ago, and `limit`
 * links that are too old.
 */
export const sweepConsoleSessions = async (sql: Sql, limit = 1000): Promise<void> => {
  await sql`
    delete from console_sessions where hash = any(array(
      select hash from console_sessions where used_at < now() - ${sql.unsafe(idle)} order by used_at limit ${limit}))`;
  await sql`
    delete from console_sessions where hash = any(array(
      select hash from console_sessions where created_at < now() - ${sql.unsafe(longest)} order by created_at limit ${limit}))`;
  await sql`
    delete from console_links where hash = any(array(
      select hash from console_links where created_at < now() - ${sql.unsafe(linkAge)} order by created_at limit ${limit}))`;
};
