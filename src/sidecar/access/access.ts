import type { DeveloperScope, McpScope } from '../../identity/index.js';
import type { ToolServerPath } from '../../wire/index.js';

/** What the authorization matrix presents to every route; `foreign` is a valid credential of another user than the owner. */
export const credentialCases = [
  'none',
  'malformed',
  'developerKey',
  'mcpKey',
  'accessToken',
  'idToken',
  'expired',
  'revoked',
  'deleting',
  'missingScope',
  'foreign',
] as const;

export type CredentialCase = (typeof credentialCases)[number];

/** `served`: the route's own status. `null`: the case does not exist for this route. */
export type Expected = 'served' | 401 | 403 | 404 | 204 | null;

/**
 * The credential that a route needs, with the status that every other credential is answered. An expired credential is an ID
 * token; a revoked one is a revoked developer key, or the ID token of a deleted account where keys are not accepted.
 */
export interface Access {
  readonly kind: 'open' | 'developer' | 'keyOwner' | 'firstParty' | 'assistant';
  /** Scope that a key or access token needs; an ID token has every scope. */
  readonly scope: DeveloperScope | McpScope | null;
  /** Whether a `developer` route accepts an ID token, too. */
  readonly idToken: boolean;
  /** The address of the tool server whose metadata an `assistant` route tells; its usual one when absent. */
  readonly at?: ToolServerPath;
  readonly expected: Readonly<Record<Exclude<CredentialCase, 'foreign'>, Expected>>;
}

const refused = {
  none: 401,
  malformed: 401,
  developerKey: 401,
  mcpKey: 401,
  accessToken: 401,
  idToken: 401,
  expired: 401,
  revoked: 401,
  deleting: 403,
} as const;

/** Needs no credential. */
export const open: Access = {
  kind: 'open',
  scope: null,
  idToken: false,
  expected: {
    none: 'served',
    malformed: 'served',
    developerKey: 'served',
    mcpKey: 'served',
    accessToken: 'served',
    idToken: 'served',
    expired: 'served',
    revoked: 'served',
    deleting: 'served',
    missingScope: null,
  },
};

/** Needs a developer key with a scope, or with none. */
export const developerKey = (scope: DeveloperScope | null): Access => ({
  kind: 'developer',
  scope,
  idToken: false,
  expected: { ...refused, developerKey: 'served', missingScope: scope === null ? null : 403 },
});

/** Needs a developer key with a scope, or an ID token. */
export const developerKeyOrIdToken = (scope: DeveloperScope): Access => ({
  kind: 'developer',
  scope,
  idToken: true,
  expected: { ...refused, developerKey: 'served', idToken: 'served', missingScope: 403 },
});

/**
 * Needs an MCP key, or an access token that a user has granted an assistant, with a scope, or whatever its scopes are.
 * @param at the address of the tool server that the route is.
 */
export const assistant = (scope: McpScope | null, at: ToolServerPath = '/v1/mcp/sse'): Access => ({
  kind: 'assistant',
  scope,
  idToken: false,
  at,
  expected: {
    ...refused,
    mcpKey: 'served',
    accessToken: 'served',
    missingScope: scope === null ? null : 403,
  },
});

/** Needs the ID token of a signed-in user; the route manages the user's keys. */
export const keyOwner: Access = {
  kind: 'keyOwner',
  scope: null,
  idToken: true,
  expected: { ...refused, idToken: 'served', missingScope: null },
};

/** Needs the ID token of a signed-in user. */
export const firstParty: Access = { ...keyOwner, kind: 'firstParty' };
