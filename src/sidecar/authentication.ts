import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import {
  type ApiKey,
  bearerToken,
  type DeveloperScope,
  familyOf,
  type TokenVerifier,
  verifyApiKey,
} from '../identity/index.js';
import type { Sql } from '../store/database.js';
import type { Policy, RateLimits } from './rate-limits.js';

/** The user who makes a request. */
export interface Caller {
  readonly uid: string;
  /** The developer key of the request; null when it carries an ID token. */
  readonly key: ApiKey | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Runs before body and query are validated, so that 401, 403 and 429 are answered before 422. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface Guards {
  /** Requires a developer key with a scope; with `idToken` it also accepts an ID token, which has every scope. */
  developer(needs: {
    readonly scope?: DeveloperScope;
    readonly policies: (request: FastifyRequest) => readonly Policy[];
    readonly idToken?: boolean;
  }): Guard;
  /** Requires a signed-in user's ID token; refusals have the texts of the key management routes. */
  keyOwner(policies: readonly Policy[]): Guard;
  /** Requires a signed-in user's ID token; refusals have the texts of first-party routes. */
  firstParty(policies: readonly Policy[]): Guard;
}

export interface GuardOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly verifier: TokenVerifier;
  readonly limits: RateLimits;
}

/** The caller of a request that a guard has admitted. */
export const callerOf = (request: FastifyRequest): Caller => request.caller!;

/** What the key of a refused request is for. Names only endpoints that exist. */
const presented = {
  dev: 'Developer API keys only authenticate the Developer API under /v1/dev/ (for example GET /v1/dev/user/conversations).',
  mcp: 'This is an MCP API key, and no endpoint of this server takes one.',
} as const;

const needed = {
  dev: 'This endpoint needs a developer API key: create one with POST /v1/dev/keys, or with "cochlea keys create".',
  idToken: 'This endpoint needs the ID token of a signed-in user.',
} as const;

const wrongFamily = (shown: keyof typeof presented, need: keyof typeof needed): CochleaError =>
  new CochleaError('api_key_family', { presented: presented[shown], needed: needed[need] });

export const createGuards = ({ settings, sql, verifier, limits }: GuardOptions): Guards => {
  /** The account of an ID token. @throws `refusal` for an invalid token, `auth_unavailable` when keys cannot be read. */
  const signedIn = async (token: string, refusal: CochleaError): Promise<Caller> => {
    let uid: string;
    try {
      uid = (await verifier.verify(token)).uid;
    } catch (error) {
      if (error instanceof CochleaError && error.code === 'auth_unavailable') throw error;
      throw refusal;
    }
    if (!(await verifier.userExists(uid))) throw refusal;
    return { uid, key: null };
  };

  const developerCaller = async (header: string | undefined, idToken: boolean): Promise<Caller> => {
    const token = bearerToken(header);
    if (token === null) throw new CochleaError('api_key_missing');
    const family = familyOf(settings, token);
    if (family === 'mcp') throw wrongFamily('mcp', 'dev');
    if (family === 'token' && idToken) return signedIn(token, new CochleaError('api_key_invalid'));
    const key = await verifyApiKey(sql, settings, token);
    if (!key) throw new CochleaError('api_key_invalid');
    return { uid: key.uid, key };
  };

  return {
    developer: (needs) => async (request, reply) => {
      const caller = await developerCaller(request.headers.authorization, needs.idToken === true);
      if (needs.scope && caller.key && !caller.key.scopes.includes(needs.scope)) {
        throw new CochleaError('scope_missing', { scope: needs.scope });
      }
      await limits.consume(caller.uid, needs.policies(request), reply);
      request.caller = caller;
    },

    keyOwner: (policies) => async (request, reply) => {
      limits.consumeAddress(request.ip, reply);
      const token = bearerToken(request.headers.authorization);
      if (token === null) throw new CochleaError('not_authenticated');
      const caller = await signedIn(token, new CochleaError('credentials_invalid'));
      await limits.consume(caller.uid, policies, reply);
      request.caller = caller;
    },

    firstParty: (policies) => async (request, reply) => {
      const header = request.headers.authorization;
      if (!header) throw new CochleaError('auth_missing');
      const token = bearerToken(header);
      if (token === null) throw new CochleaError('auth_invalid');
      const family = familyOf(settings, token);
      if (family !== 'token') throw wrongFamily(family, 'idToken');
      const caller = await signedIn(token, new CochleaError('auth_invalid'));
      await limits.consume(caller.uid, policies, reply);
      request.caller = caller;
    },
  };
};
