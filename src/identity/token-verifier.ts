import { errors as joseErrors, jwtVerify } from 'jose';
import { connectionPlan } from '../config/connections.js';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { connectDatabase } from '../store/database.js';
import { existingUsers, findUser, insertUser } from '../store/users.js';
import { builtInIssuers, tokenAudience } from './token-issuer.js';
import { answered, databaseKeys, remoteKeys } from './token-keys.js';

/** The user a token identifies, and until when. */
export interface VerifiedToken {
  readonly uid: string;
  /** Wall clock, ms since the epoch; a tolerance for differing clocks is included. */
  readonly expiresAt: number;
}

export interface TokenVerifier {
  /**
   * Checks an ID token: signature, issuer, audience, times, subject.
   * @throws CochleaError `auth_invalid`, `auth_expired`, or `auth_unavailable` when the keys cannot be read.
   */
  verify(token: string): Promise<VerifiedToken>;
  /** Whether the account exists. While the database is away the last answer is repeated; without one the answer is true. */
  userExists(uid: string): Promise<boolean>;
  /**
   * Which of these accounts are gone, that is, no longer exist in the database. Called for users of open sockets.
   * @throws when the database does not answer: then nothing is known about any of them.
   */
  goneUsers(uids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Closes the database connections; queries that are still running are abandoned after a second. */
  close(): Promise<void>;
}

export interface TokenVerifierOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Logger;
}

const longestToken = 8192;
const longestUid = 128;
const clockTolerance = 30;
const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
];
const rememberedUsers = 10_000;
const rememberedFor = 60_000;

const refusalOf = (error: unknown): CochleaError => {
  if (error instanceof CochleaError) return error;
  return new CochleaError(
    error instanceof joseErrors.JWTExpired ? 'auth_expired' : 'auth_invalid',
    {},
    { cause: error },
  );
};

/**
 * Makes the verifier of an engine or sidecar. Never rejects because the database is away: keys and users are read when
 * first needed and remembered, so that streams keep being admitted through an outage.
 */
export const createTokenVerifier = async (options: TokenVerifierOptions): Promise<TokenVerifier> => {
  const { settings, log } = options;
  const timeout = settings.databaseTimeout;
  const sql = connectDatabase(options.databaseUrl, {
    max: connectionPlan(settings).identity,
    timeoutMs: timeout,
    statementTimeoutMs: timeout,
    name: 'identity',
  });
  const external = settings.idTokenIssuer !== '' || settings.idTokenJwks !== '';
  const issuers = external ? settings.idTokenIssuer : builtInIssuers(settings);
  const keys = external ? remoteKeys(settings) : databaseKeys(sql, timeout);
  // A Map keeps insertion order. Every answer inserts its user again, so the first entry is the one confirmed longest ago.
  const users = new Map<string, { exists: boolean; at: number }>();
  const remember = (uid: string, exists: boolean): boolean => {
    users.delete(uid);
    users.set(uid, { exists, at: Date.now() });
    if (users.size > rememberedUsers) users.delete(users.keys().next().value!);
    return exists;
  };
  // A user known to an external issuer, and any uid in trial mode, gets an account on the first connection.
  const admitsAnyone = external || settings.authMode === 'uid';
  const lookUp = async (uid: string): Promise<boolean> => {
    if ((await findUser(sql, uid)) !== null) return true;
    if (!admitsAnyone) return false;
    await insertUser(sql, { uid });
    return true;
  };

  return {
    async verify(token) {
      if (token.length > longestToken) throw new CochleaError('auth_invalid');
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms,
          audience: tokenAudience(settings),
          issuer: issuers,
          clockTolerance,
          requiredClaims: ['iss', 'sub', 'exp'],
        });
        const uid = payload.sub;
        if (typeof uid !== 'string' || !validUid(uid)) throw new CochleaError('auth_invalid');
        return { uid, expiresAt: (payload.exp! + clockTolerance) * 1000 };
      } catch (error) {
        throw refusalOf(error);
      }
    },

    async userExists(uid) {
      if (!validUid(uid)) return false;
      const known = users.get(uid);
      if (known?.exists && Date.now() - known.at < rememberedFor) return true;
      try {
        return remember(uid, await answered(lookUp(uid), timeout));
      } catch (error) {
        log.warn({ err: error }, 'user not confirmed: the database is away');
        return known?.exists ?? true;
      }
    },

    async goneUsers(uids) {
      const found = await answered(existingUsers(sql, uids), timeout);
      const gone = new Set<string>();
      for (const uid of uids) {
        if (found.has(uid)) remember(uid, true);
        // A user of an external issuer who connected while the database was away has no account in it yet.
        else if (admitsAnyone && users.get(uid)?.exists !== true) {
          remember(uid, await answered(lookUp(uid), timeout));
        } else {
          remember(uid, false);
          gone.add(uid);
        }
      }
      return gone;
    },

    async close() {
      await sql.end({ timeout: 1 });
    },
  };
};

/** Bounds of a user id: 1 to 128 characters, none of them a control character. */
export const validUid = (uid: string): boolean =>
  uid.length >= 1 && uid.length <= longestUid && !/\p{Cc}|\p{Surrogate}/u.test(uid);
