import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import {
  type ApiKey,
  bearerToken,
  familyOf,
  type KeyFamily,
  type TokenVerifier,
  verifyCountedKey,
} from '../identity/index.js';
import type { Sql } from '../store/database.js';
import type { Counted, RateWindow } from '../store/rate-windows.js';
import type { Access } from './frame/access.js';

/** The user who makes a request. */
export interface Caller {
  readonly uid: string;
  /** The developer key of the request; null when it carries an ID token. */
  readonly key: ApiKey | null;
}

/** A caller whose credential is accepted. */
export interface Authenticated {
  readonly caller: Caller;
  /** The windows that the request was counted against; null where it is not counted yet. */
  readonly windows: readonly RateWindow[] | null;
}

/**
 * The caller of a request by its `Authorization` header; null on a route that needs no credential. A key is read and its request
 * counted by one statement.
 * @throws CochleaError with status 401 for a credential that the route does not accept, `scope_missing`, `auth_unavailable`
 */
export type Authenticate = (
  access: Access,
  authorization: string | undefined,
  policies: readonly Counted[],
) => Promise<Authenticated | null>;

export interface AuthenticationOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly verifier: TokenVerifier;
}

/** What the key of a refused request is for. Names only endpoints that exist. */
const presented = {
  dev: 'Developer API keys only authenticate the Developer API under /v1/dev/ (for example GET /v1/dev/user/conversations).',
  mcp: 'This is an MCP API key, and no endpoint of this server takes one.',
} as const;

const needed = {
  dev: 'This endpoint needs a developer API key: create one with POST /v1/dev/keys, or with "cochlea keys create".',
  idToken: 'This endpoint needs the ID token of a signed-in user.',
} as const;

const wrongFamily = (shown: KeyFamily, need: keyof typeof needed): CochleaError =>
  new CochleaError('api_key_family', { presented: presented[shown], needed: needed[need] });

export const createAuthenticate = ({ settings, sql, verifier }: AuthenticationOptions): Authenticate => {
  /** The account of an ID token. @throws `refusal` for an invalid token, `auth_unavailable` when keys cannot be read. */
  const signedIn = async (token: string, refusal: CochleaError): Promise<Authenticated> => {
    const family = familyOf(settings, token);
    if (family !== 'token') throw wrongFamily(family, 'idToken');
    let uid: string;
    try {
      uid = (await verifier.verify(token)).uid;
    } catch (error) {
      if (error instanceof CochleaError && error.code === 'auth_unavailable') throw error;
      throw refusal;
    }
    if (!(await verifier.userExists(uid))) throw refusal;
    return { caller: { uid, key: null }, windows: null };
  };

  const developer = async (
    access: Access,
    token: string | null,
    policies: readonly Counted[],
  ): Promise<Authenticated> => {
    if (token === null) throw new CochleaError('api_key_missing');
    const family = familyOf(settings, token);
    if (family === 'mcp') throw wrongFamily('mcp', 'dev');
    if (family === 'token' && access.idToken) return signedIn(token, new CochleaError('api_key_invalid'));
    const found = await verifyCountedKey(sql, settings, token, access.scope, policies);
    if (!found) throw new CochleaError('api_key_invalid');
    const { key, windows } = found;
    if (access.scope && !key.scopes.includes(access.scope)) {
      throw new CochleaError('scope_missing', { scope: access.scope });
    }
    return { caller: { uid: key.uid, key }, windows };
  };

  return async (access, authorization, policies) => {
    const token = bearerToken(authorization);
    switch (access.kind) {
      case 'open':
        return null;
      case 'developer':
        return developer(access, token, policies);
      case 'keyOwner':
        if (token === null) throw new CochleaError('not_authenticated');
        return signedIn(token, new CochleaError('credentials_invalid'));
      case 'firstParty':
        if (!authorization) throw new CochleaError('auth_missing');
        if (token === null) throw new CochleaError('auth_invalid');
        return signedIn(token, new CochleaError('auth_invalid'));
    }
  };
};
