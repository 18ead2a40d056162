import {
  decodeProtectedHeader,
  type JWTPayload,
  type JWTVerifyGetKey,
  errors as joseErrors,
  jwtVerify,
} from 'jose';
import { connectionPlan, type Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { insertUser, isDeletedAccount, tokenFloors } from '../store/accounts/index.js';
import { connectDatabase, type Sql } from '../store/client/index.js';
import { isForAssistants, scopesOfClaims } from './assistant-claims.js';
import { DatabaseOutage } from './database-outage.js';
import { hasExternalIssuer } from './external-issuer.js';
import { builtInIssuers, streamAudience, streamTokenType, tokenAudience } from './token-issuer.js';
import { answered, databaseKeys, remoteKeys, signatureAlgorithms } from './token-keys.js';

/** User and validity period of a token. */
export interface VerifiedToken {
  readonly uid: string;
  /** Issue time, ms since the epoch: the end of the second that the token contains. */
  readonly issuedAt: number;
  /** Expiry time, ms since the epoch, including a tolerance for differing clocks. */
  readonly expiresAt: number;
}

/** User and permissions of an assistant's access token from the operator's own issuer. */
export interface VerifiedAccess extends VerifiedToken {
  readonly scopes: readonly string[];
}

/**
 * Whether a genuine token gives access. `good`: the token gives access. `unknown`: no access, because the user does not
 * exist. `ended`: no access, because the account is deleted or being deleted, or the user has signed out everywhere
 * since.
 */
export type Standing = 'good' | 'unknown' | 'ended';

export interface TokenVerifier {
  /**
   * Checks an ID token: signature, type, issuer, audience, times, subject. An access token for the tool server is
   * refused, even if it names the audience of ID tokens.
   * @param use `stream`: also accepts a stream token of the console (`issueStreamToken`), which gives access to streams
   *   only.
   * @throws CochleaError `auth_invalid`, `auth_expired`, or `auth_unavailable` if the keys cannot be read.
   */
  verify(token: string, use?: 'stream'): Promise<VerifiedToken>;
  /**
   * Returns whether a token that `verify` has accepted gives access. The database's answer about a user is cached for a
   * minute, or until `forget` is called. While the database is unreachable, an older cached answer is used. If there is
   * none, the result is `good`.
   */
  standing(token: Pick<VerifiedToken, 'uid' | 'issuedAt'>): Promise<Standing>;
  /**
   * Creates the account of a user of an external issuer.
   * @returns false if the account cannot be created: this deployment does not create accounts for unknown users, or the
   *   account was deleted.
   */
  admit(uid: string): Promise<boolean>;
  /**
   * Returns for each user the time before which issued tokens give no access, in ms since the epoch. The time is
   * infinite if the account is gone or being deleted. Called for users with open sockets.
   * @throws if the database does not answer, so that nothing is known about these users
   */
  floors(uids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Clears the cache of one user or all users, so that the next call reads the database. */
  forget(uid?: string): void;
  /** Closes the database connections. Does not wait longer than a second for running queries. */
  close(): Promise<void>;
}

/** A verifier that also checks access tokens of assistants. */
export interface AccessVerifier extends TokenVerifier {
  /**
   * Checks an access token that the operator's own issuer made for the tool server (RFC 9068). The checks are the same
   * as those of `verify`. Access tokens of the built-in issuer are not checked here, because they are rows in the
   * database.
   * @throws the errors of `verify`.
   */
  verifyAccess(token: string): Promise<VerifiedAccess>;
}

export interface TokenVerifierOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Connections made by `connectIdentity`, which the caller closes. Absent: the verifier opens its own connections. */
  readonly sql?: Sql;
}

/** Opens the connections that read token keys and accounts. */
export const connectIdentity = (settings: Settings, databaseUrl: string): Sql =>
  connectDatabase(databaseUrl, {
    max: connectionPlan(settings).identity,
    timeoutMs: settings.databaseTimeout,
    statementTimeoutMs: settings.databaseTimeout,
    name: 'identity',
  });

const longestToken = 8192;
const longestUid = 128;
const clockTolerance = 30;
/**
 * Accepted `typ` headers of an ID token. Many issuers omit the header. The list prevents the use of a logout token or
 * access token as an ID token (RFC 8725, 3.11).
 */
const idTokenTypes: ReadonlySet<string> = new Set(['', 'jwt']);
const accessTokenTypes: ReadonlySet<string> = new Set([...idTokenTypes, 'at+jwt']);
const streamTokenTypes: ReadonlySet<string> = new Set([streamTokenType]);

/** Returns a `typ` header in the form in which types are compared (RFC 7515, 4.1.9). */
const mediaType = (typ: unknown): string =>
  typ === undefined
    ? ''
    : String(typ)
        .toLowerCase()
        .replace(/^application\//, '');

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
 * Checks whether the header of a token has the type of stream tokens. The signature of the header is not verified here.
 */
const isStreamToken = (token: string): boolean => {
  if (token.length > longestToken) return false;
  try {
    return streamTokenTypes.has(mediaType(decodeProtectedHeader(token).typ));
  } catch {
    return false;
  }
};

/** Keys and accepted `iss` values of a trusted issuer. */
interface TrustedKeys {
  readonly keys: JWTVerifyGetKey;
  readonly issuers: string | string[];
}

/**
 * Verifies a token and returns its claims.
 * @param made checks that the claims are those of a token for the intended purpose
 */
const claimsOf = async (
  { keys, issuers }: TrustedKeys,
  token: string,
  types: ReadonlySet<string>,
  made: (claims: JWTPayload) => boolean,
) => {
  if (token.length > longestToken) throw new CochleaError('auth_invalid');
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: signatureAlgorithms,
      issuer: issuers,
      clockTolerance,
      requiredClaims: ['iss', 'sub', 'aud', 'exp'],
    });
    const { sub: uid, iat = 0, exp } = payload;
    const isMeant = types.has(mediaType(protectedHeader.typ)) && made(payload);
    if (typeof uid !== 'string' || !validUid(uid) || !isMeant) throw new CochleaError('auth_invalid');
    return { uid, issuedAt: iat * 1000 + 999, expiresAt: (exp! + clockTolerance) * 1000, payload };
  } catch (error) {
    throw refusalOf(error);
  }
};
const standingAt = (floor: number | null, issuedAt: number): Standing =>
  floor === null ? 'unknown' : issuedAt < floor ? 'ended' : 'good';

/** Cache of the database's latest answers about users. */
class RememberedUsers {
  // A Map keeps insertion order. Every answer reinserts its user, so the first entry is the oldest.
  readonly #users = new Map<string, { readonly floor: number | null; readonly at: number }>();

  get(uid: string): { readonly floor: number | null; readonly at: number } | undefined {
    return this.#users.get(uid);
  }

  /** Stores an answer and returns `floor`. */
  add(uid: string, floor: number | null): number | null {
    this.#users.delete(uid);
    this.#users.set(uid, { floor, at: Date.now() });
    if (this.#users.size > rememberedUsers) this.#users.delete(this.#users.keys().next().value!);
    return floor;
  }

  /** Removes one user or all users from the cache. */
  forget(uid?: string): void {
    if (uid === undefined) this.#users.clear();
    else this.#users.delete(uid);
  }
}

/**
 * Creates the verifier of an engine or sidecar. Keys and users are read when they are first needed, and then cached. So
 * the verifier can admit streams during an outage of the database.
 */
export const createTokenVerifier = async (options: TokenVerifierOptions): Promise<AccessVerifier> => {
  const { settings, log } = options;
  const timeout = settings.databaseTimeout;
  const sql = options.sql ?? connectIdentity(settings, options.databaseUrl);
  const external = hasExternalIssuer(settings);
  // The built-in issuer signs stream tokens, even if people sign in at the operator's own issuer.
  const builtIn = { keys: databaseKeys(sql, timeout), issuers: builtInIssuers(settings) };
  const { keys, issuers } = external
    ? { keys: remoteKeys(settings), issuers: settings.idTokenIssuer }
    : builtIn;
  const users = new RememberedUsers();
  const outage = new DatabaseOutage();
  // With an external issuer, a user gets an account at the first connection. In trial mode, any uid gets an account.
  const admitsAnyone = external || settings.authMode === 'uid';
  const admit = async (uid: string): Promise<boolean> =>
    admitsAnyone && (await insertUser(sql, { uid })) !== null;
  /**
   * Reads the time before which tokens of a user give no access: infinity for a deleted account, null if the user does
   * not exist and is not admitted.
   */
  const lookUp = async (uid: string): Promise<number | null> => {
    const floor = (await tokenFloors(sql, [uid])).get(uid);
    if (floor !== undefined) return floor;
    if (await isDeletedAccount(sql, uid)) return Number.POSITIVE_INFINITY;
    return (await admit(uid)) ? 0 : null;
  };
  const isForAssistant = (claims: JWTPayload): boolean => external && isForAssistants(settings, claims);
  const isIdToken = (claims: JWTPayload): boolean =>
    [claims.aud].flat().includes(tokenAudience(settings)) && !isForAssistant(claims);

  const isForStreams = (claims: JWTPayload): boolean => claims.aud === streamAudience(settings);

  return {
    async verify(token, use) {
      const { payload: _, ...verified } =
        use === 'stream' && isStreamToken(token)
          ? await claimsOf(builtIn, token, streamTokenTypes, isForStreams)
          : await claimsOf({ keys, issuers }, token, idTokenTypes, isIdToken);
      return verified;
    },

    async verifyAccess(token) {
      const { payload, ...verified } = await claimsOf(
        { keys, issuers },
        token,
        accessTokenTypes,
        isForAssistant,
      );
      return { ...verified, scopes: scopesOfClaims(payload) };
    },

    async standing({ uid, issuedAt }) {
      if (!validUid(uid)) return 'unknown';
      const known = users.get(uid);
      if (known && known.floor !== null && Date.now() - known.at < rememberedFor)
        return standingAt(known.floor, issuedAt);
      try {
        const floor = await outage.ask(async () => users.add(uid, await answered(lookUp(uid), timeout)));
        return standingAt(floor, issuedAt);
      } catch (error) {
        log.warn({ err: error }, 'user not confirmed: the database is away');
        return known ? standingAt(known.floor, issuedAt) : 'good';
      }
    },

    admit,

    async floors(uids) {
      const floors = await answered(tokenFloors(sql, uids), timeout);
      for (const uid of uids) {
        const floor = floors.get(uid);
        const known = users.get(uid)?.floor ?? null;
        if (floor !== undefined) users.add(uid, floor);
        // A user of an external issuer who connected during a database outage has no account yet.
        else if (admitsAnyone && known === null)
          floors.set(uid, users.add(uid, await answered(lookUp(uid), timeout)) ?? Number.POSITIVE_INFINITY);
        else {
          users.add(uid, null);
          floors.set(uid, Number.POSITIVE_INFINITY);
        }
      }
      return floors;
    },

    forget: (uid) => users.forget(uid),

    async close() {
      if (options.sql === undefined) await sql.end({ timeout: 1 });
    },
  };
};

/** Checks whether a user id is valid: 1 to 128 characters without control characters. */
export const validUid = (uid: string): boolean =>
  uid.length >= 1 && uid.length <= longestUid && !/\p{Cc}|\p{Surrogate}/u.test(uid);
