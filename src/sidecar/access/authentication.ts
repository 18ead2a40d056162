import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  type AccessVerifier,
  type ApiKey,
  acceptedKey,
  assistantResource,
  bearerToken,
  type DeveloperScope,
  familyOf,
  findCountedKey,
  hasExternalIssuer,
  hashOfToken,
  type McpScope,
  type VerifiedAccess,
  type VerifiedToken,
  verifyAssistantToken,
} from '../../identity/index.js';
import { accessTokenPrefix } from '../../issuer/index.js';
import {
  type ConsoleSessionRow,
  type CountedTogether,
  type CountedUser,
  type KeyFamily,
  type KeyWork,
  type RateWindow,
  useCountedUser,
} from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import type { Access } from './access.js';
import { accessChallenge } from './challenge.js';
import { KeyUsers, type KnownKey } from './key-users.js';

/** The user who makes a request. */
export interface Caller {
  readonly uid: string;
  /** The API key of the request; null if the request has an ID token or access token. */
  readonly key: ApiKey | null;
  /** Scopes of the credential; null for an ID token, which has every scope. */
  readonly scopes: readonly string[] | null;
  /** The session of a request from the console. Absent for other requests. */
  readonly session?: ConsoleSessionRow;
}

/** Whether the caller's credential includes a scope. */
export const mayUse = ({ scopes }: Pick<Caller, 'scopes'>, scope: DeveloperScope | McpScope): boolean =>
  scopes === null || scopes.includes(scope);

/** A caller with an accepted credential. */
export interface Authenticated {
  readonly caller: Caller;
  /** The rate limit windows in which the request was counted; null if it is not counted yet. */
  readonly windows: readonly RateWindow[] | null;
  /**
   * Result of the parameter `work` of `Authenticate`. null if the work found nothing, or was skipped because a rate
   * limit window is full.
   */
  readonly done?: Buffer | null;
}

/**
 * Finds the caller of a request by its `Authorization` header. Returns null on a route that needs no credential. One
 * SQL statement reads the key, or the user of an ID token, and counts the request.
 * @param known result of `knownKey` for this header, which saves parsing the header again.
 * @param work runs inside that statement, if the key is known.
 * @throws CochleaError with status 401 for a credential that the route does not accept,
 * `account_deletion_in_progress`, `scope_missing`, `auth_unavailable`
 */
export type Authenticate = (
  access: Access,
  authorization: string | undefined,
  policies: CountedTogether,
  known?: KnownKey,
  work?: KeyWork,
) => Promise<Authenticated | null>;

export interface Authentication {
  readonly authenticate: Authenticate;
  /**
   * Returns a developer key that was accepted recently, and its user. The key may have been revoked since.
   * Returns undefined for every other credential.
   */
  readonly knownKey: (access: Access, authorization: string | undefined) => KnownKey | undefined;
}

export interface AuthenticationOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly verifier: AccessVerifier;
}

/**
 * Sentences that name the endpoints for each kind of credential. An error quotes the sentence if a credential reaches
 * an endpoint of another kind.
 */
const presented = {
  dev: 'Developer API keys only authenticate the Developer API under /v1/dev/ (for example GET /v1/dev/user/conversations).',
  mcp: 'MCP API keys only authenticate the endpoints under /v1/mcp/ (for example POST /v1/mcp/sse).',
  accessToken:
    'Access tokens of assistants only authenticate the endpoints under /v1/mcp/ (for example POST /v1/mcp/sse).',
} as const;

const needed = {
  dev: 'This endpoint needs a developer API key: create one with POST /v1/dev/keys, or with "cochlea keys create".',
  idToken: 'This endpoint needs the ID token of a signed-in user.',
  assistant:
    'This endpoint needs an MCP API key (create one with POST /v1/mcp/keys), or an access token that a user granted to an assistant.',
} as const;

const wrongFamily = (
  shown: keyof typeof presented,
  need: keyof typeof needed,
  more: { readonly challenge?: string } = {},
): CochleaError =>
  new CochleaError('api_key_family', { presented: presented[shown], needed: needed[need], ...more });

/** The dependencies of the credential checks. */
interface Parts extends AuthenticationOptions {
  /** Whether the operator's own issuer makes the tokens. */
  readonly external: boolean;
  /** Users of recently accepted developer keys. */
  readonly users: KeyUsers;
}

const kindOf = (settings: Settings, token: string): KeyFamily | 'accessToken' | 'token' =>
  token.startsWith(accessTokenPrefix(settings)) ? 'accessToken' : familyOf(settings, token);

/**
 * Returns the verified content of a token.
 * @throws `refusal` for an invalid token, `auth_unavailable` if the verification keys cannot be read.
 */
const genuine = <Verified>(reading: Promise<Verified>, refusal: CochleaError): Promise<Verified> =>
  reading.catch((error: unknown) => {
    throw error instanceof CochleaError && error.code === 'auth_unavailable' ? error : refusal;
  });

/**
 * Reads the account of a token and counts its request, in one statement.
 * @throws `refusal` if there is no account, `account_deletion_in_progress`.
 */
const accountOf = async (
  { sql, verifier }: Parts,
  { uid, issuedAt }: VerifiedToken,
  refusal: CochleaError,
  policies: CountedTogether,
): Promise<CountedUser> => {
  const read = (): Promise<CountedUser | null> => useCountedUser(sql, uid, issuedAt, policies);
  let user = await read();
  // A user of an external issuer gets an account with the first request.
  if (user === null && (await verifier.admit(uid))) user = await read();
  if (user === null || user.ended) throw refusal;
  if (user.deleting) throw new CochleaError('account_deletion_in_progress');
  return user;
};

/** @throws CochleaError `assistant_missing`, `assistant_invalid`, `api_key_family`, `scope_missing`, `account_deletion_in_progress` */
const assistant = async (
  parts: Parts,
  { scope, at = '/v1/mcp/sse' }: Access,
  token: string | null,
  policies: CountedTogether,
): Promise<Authenticated> => {
  const { settings, sql, verifier, external } = parts;
  const challenge = (error: string, lacking: string | null): string =>
    accessChallenge(settings, at, error, lacking);
  if (token === null) throw new CochleaError('assistant_missing', { challenge: challenge('', scope) });
  const refused = { challenge: challenge('invalid_token', scope) };
  const kind = kindOf(settings, token);
  if (kind === 'dev') throw wrongFamily('dev', 'assistant', refused);
  const lacking = (scopes: readonly string[]): boolean => scope !== null && !scopes.includes(scope);
  const insufficient = (): CochleaError =>
    new CochleaError('scope_missing', {
      scope: scope!,
      challenge: challenge('insufficient_scope', scope),
    });
  if (kind === 'mcp') {
    const hash = hashOfToken(settings, token, 'mcp');
    const found = hash && acceptedKey(await findCountedKey(sql, hash, scope, policies, 'mcp'), hash);
    if (!found) throw new CochleaError('assistant_invalid', refused);
    if (found.deleting) throw new CochleaError('account_deletion_in_progress');
    if (lacking(found.key.scopes)) throw insufficient();
    return {
      caller: { uid: found.key.uid, key: found.key, scopes: found.key.scopes },
      windows: found.windows,
    };
  }
  if (kind === 'token' && external) {
    const refusal = new CochleaError('assistant_invalid', refused);
    const verified: VerifiedAccess = await genuine(verifier.verifyAccess(token), refusal);
    const { windows } = await accountOf(parts, verified, refusal, policies);
    if (lacking(verified.scopes)) throw insufficient();
    return { caller: { uid: verified.uid, key: null, scopes: verified.scopes }, windows };
  }
  const access =
    kind === 'accessToken' && (await verifyAssistantToken(sql, token, assistantResource(settings)));
  if (!access) throw new CochleaError('assistant_invalid', refused);
  if (access.deleting) throw new CochleaError('account_deletion_in_progress');
  if (lacking(access.scopes)) throw insufficient();
  return { caller: { uid: access.uid, key: null, scopes: access.scopes }, windows: null };
};

/**
 * Reads the account of an ID token and counts its request, in one statement.
 * @throws `refusal` for an invalid token, `auth_unavailable` if verification keys cannot be read, `account_deletion_in_progress`.
 */
const signedIn = async (
  parts: Parts,
  token: string,
  refusal: CochleaError,
  policies: CountedTogether,
): Promise<Authenticated> => {
  const family = kindOf(parts.settings, token);
  if (family !== 'token') throw wrongFamily(family, 'idToken');
  const verified = await genuine(parts.verifier.verify(token), refusal);
  const { windows } = await accountOf(parts, verified, refusal, policies);
  return { caller: { uid: verified.uid, key: null, scopes: null }, windows };
};

/** Reads the user of a developer key and counts the request, in one statement. */
const byKey = async (
  { sql, users }: Parts,
  { scope }: Access,
  hash: string | null,
  policies: CountedTogether,
  work?: KeyWork,
): Promise<Authenticated> => {
  if (hash === null) throw new CochleaError('api_key_invalid');
  const found = acceptedKey(await findCountedKey(sql, hash, scope, policies, 'dev', work), hash);
  if (found === null) {
    users.remove(hash);
    throw new CochleaError('api_key_invalid');
  }
  if (found.deleting) throw new CochleaError('account_deletion_in_progress');
  const { key, windows, done } = found;
  users.add(hash, key.uid);
  if (scope && !key.scopes.includes(scope)) throw new CochleaError('scope_missing', { scope });
  return { caller: { uid: key.uid, key, scopes: key.scopes }, windows, done };
};

const developer = (
  parts: Parts,
  access: Access,
  token: string | null,
  policies: CountedTogether,
): Promise<Authenticated> => {
  if (token === null) throw new CochleaError('api_key_missing');
  const family = kindOf(parts.settings, token);
  if (family === 'mcp' || family === 'accessToken') throw wrongFamily(family, 'dev');
  if (family === 'token' && access.idToken)
    return signedIn(parts, token, new CochleaError('api_key_invalid'), policies);
  return byKey(parts, access, hashOfToken(parts.settings, token, 'dev'), policies);
};

const byHeader = async (
  parts: Parts,
  access: Access,
  authorization: string | undefined,
  policies: CountedTogether,
): Promise<Authenticated | null> => {
  const token = bearerToken(authorization);
  switch (access.kind) {
    case 'open':
    case 'entry':
      return null;
    case 'session':
      // The console requires its cookie, not a bearer token (`session-authentication.ts`).
      throw new CochleaError('console_session_missing');
    case 'developer':
      return developer(parts, access, token, policies);
    case 'assistant':
      return assistant(parts, access, token, policies);
    case 'keyOwner':
      if (token === null) throw new CochleaError('not_authenticated');
      return signedIn(parts, token, new CochleaError('credentials_invalid'), policies);
    case 'firstParty':
      if (!authorization) throw new CochleaError('auth_missing');
      if (token === null) throw new CochleaError('auth_invalid');
      return signedIn(parts, token, new CochleaError('auth_invalid'), policies);
  }
};

/** Creates the function that finds the caller of a request, and the function `knownKey`. */
export const createAuthentication = (options: AuthenticationOptions): Authentication => {
  const { settings } = options;
  const users = new KeyUsers();
  const parts: Parts = { ...options, external: hasExternalIssuer(settings), users };

  const knownKey = ({ kind }: Access, authorization: string | undefined): KnownKey | undefined => {
    const token = kind === 'developer' ? bearerToken(authorization) : null;
    const hash = token && hashOfToken(settings, token, 'dev');
    return hash ? users.find(hash) : undefined;
  };

  const authenticate: Authenticate = (access, authorization, policies, known, work) =>
    known
      ? byKey(parts, access, known.hash, policies, work)
      : byHeader(parts, access, authorization, policies);

  return { authenticate, knownKey };
};
