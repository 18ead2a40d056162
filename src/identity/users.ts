import { randomUUID } from 'node:crypto';
import { CochleaError } from '../errors/index.js';
import { insertUser, type UserRow } from '../store/accounts/index.js';
import { isDuplicate, type Sql } from '../store/client/index.js';
import { validUid } from './token-verifier.js';

export interface UserRequest {
  /** User id; absent: a random UUID. */
  readonly uid?: string;
  readonly email?: string | null;
  readonly name?: string | null;
  readonly language?: string | null;
}

/**
 * Creates an account, or returns the existing account with the same uid.
 * @throws CochleaError `bad_request` if the uid is not 1 to 128 printable characters, if it belonged to a deleted user,
 *   or if another user has the e-mail address.
 */
export const createUser = async (sql: Sql, request: UserRequest = {}): Promise<UserRow> => {
  const uid = request.uid ?? randomUUID();
  if (!validUid(uid))
    throw new CochleaError('bad_request', { why: 'uid must be 1 to 128 printable characters' });
  try {
    const user = await insertUser(sql, { ...request, uid });
    if (user === null || user.deleting)
      throw new CochleaError('bad_request', {
        why: 'The user with this uid was deleted, and cannot be made again',
      });
    return user;
  } catch (error) {
    if (isDuplicate(error))
      throw new CochleaError('bad_request', { why: 'Another user has this e-mail address' });
    throw error;
  }
};
