import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { findConsoleSession } from '../../identity/index.js';
import type { Sql } from '../../store/client/index.js';
import type { Authenticated } from './authentication.js';
import { sessionOf } from './console-cookie.js';

/**
 * Finds the caller of a request by the cookie of a session at the console.
 * @param cookie header of the request.
 * @throws CochleaError `console_session_missing`, `account_deletion_in_progress`
 */
export type AuthenticateSession = (cookie: string | undefined) => Promise<Authenticated>;

/** Creates the function that finds callers by their session. */
export const createSessionAuthentication =
  (settings: Settings, sql: Sql): AuthenticateSession =>
  async (cookie) => {
    const value = sessionOf(settings, cookie);
    const session = value === null ? null : await findConsoleSession(sql, value);
    if (session === null) throw new CochleaError('console_session_missing');
    if (session.deleting) throw new CochleaError('account_deletion_in_progress');
    return { caller: { uid: session.uid, key: null, scopes: null, session }, windows: null };
  };
