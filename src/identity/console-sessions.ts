import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { CochleaError } from '../errors/index.js';
import {
  type ConsoleSessionRow,
  endConsoleBefore,
  endConsoleSession,
  endIssuerSession,
  findConsoleLink,
  openConsoleSession,
  openConsoleSessionByLink,
  storeConsoleLink,
  useConsoleSession,
} from '../store/accounts/index.js';
import { isDangling, type Sql } from '../store/client/index.js';
import type { IssuerLogout } from './logout-token.js';

/** Pattern of the secrets of sessions and links: 32 random bytes in base64url. */
const secretForm = /^[\w-]{43}$/;

const newSecret = (): string => randomBytes(32).toString('base64url');

const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

const isSecret = (given: string): boolean => secretForm.test(given);

/**
 * Creates a link that opens one session at the console.
 * @returns the secret for the fragment of the link's address, and the number of seconds until the link expires.
 * @throws CochleaError `bad_request` if there is no such user.
 */
export const createConsoleLink = async (
  sql: Sql,
  uid: string,
): Promise<{ readonly secret: string; readonly seconds: number }> => {
  const secret = newSecret();
  const seconds = await storeConsoleLink(sql, uid, hashOf(secret)).catch((error: unknown) => {
    throw isDangling(error) ? new CochleaError('bad_request', { why: `There is no user ${uid}` }) : error;
  });
  return { secret, seconds };
};

/**
 * Returns the user of a link, and the number of seconds until the link expires. The link can still be used.
 * @throws CochleaError `console_link_ended`
 */
export const readConsoleLink = async (
  sql: Sql,
  secret: string,
): Promise<{ readonly uid: string; readonly seconds: number }> => {
  const found = isSecret(secret) ? await findConsoleLink(sql, hashOf(secret)) : null;
  if (found === null) throw new CochleaError('console_link_ended');
  return found;
};

/** A session that has just begun. */
export interface OpenedSession {
  readonly uid: string;
  /** Value of the session's cookie. The database has only its hash. */
  readonly cookie: string;
}

/** Begins a session with a link, which then no longer works. @throws CochleaError `console_link_ended` */
export const enterConsole = async (sql: Sql, secret: string): Promise<OpenedSession> => {
  const cookie = newSecret();
  const uid = isSecret(secret) ? await openConsoleSessionByLink(sql, hashOf(secret), hashOf(cookie)) : null;
  if (uid === null) throw new CochleaError('console_link_ended');
  return { uid, cookie };
};

/**
 * Begins a session of a user whose sign-in an issuer has confirmed.
 * @param issuedAt when the issuer confirmed the sign-in, ms since the epoch.
 * @param issuerSession id of the session at the operator's own issuer. When that session ends, the console's session
 * ends, too (`endAtIssuer`).
 * @throws CochleaError `sign_in_ended` if the account is gone, or the user has signed out everywhere since.
 */
export const beginConsoleSession = async (
  sql: Sql,
  uid: string,
  issuedAt: number,
  issuerSession: string | null = null,
): Promise<OpenedSession> => {
  const cookie = newSecret();
  const atIssuer = issuerSession === null ? null : hashOf(issuerSession);
  if (!(await openConsoleSession(sql, uid, hashOf(cookie), issuedAt, atIssuer)))
    throw new CochleaError('sign_in_ended');
  return { uid, cookie };
};

/** Returns the session that a cookie's value belongs to; null for an unknown or ended session. */
export const findConsoleSession = async (sql: Sql, cookie: string): Promise<ConsoleSessionRow | null> => {
  if (!isSecret(cookie)) return null;
  const hashed = hashOf(cookie);
  const found = await useConsoleSession(sql, hashed);
  // The database's index compares hashes byte by byte, so its time may depend on the hash. This second comparison
  // decides, and takes the same time for every hash.
  return found && timingSafeEqual(Buffer.from(found.hash, 'hex'), Buffer.from(hashed, 'hex')) ? found : null;
};

/** Ends the session that a cookie's value belongs to. */
export const leaveConsole = async (sql: Sql, cookie: string): Promise<void> => {
  if (isSecret(cookie)) await endConsoleSession(sql, hashOf(cookie));
};

/**
 * Ends console sessions after a logout at the operator's own issuer. If `session` (a session at the issuer) is not
 * null, ends the console sessions whose sign-in happened in it. If `session` is null, ends all console sessions and
 * links of the user that began before the logout.
 */
export const endAtIssuer = async (sql: Sql, { uid, session, saidAt }: IssuerLogout): Promise<void> => {
  if (session !== null) await endIssuerSession(sql, hashOf(session), uid);
  else if (uid !== null) await endConsoleBefore(sql, uid, saidAt);
};
