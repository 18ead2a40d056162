import type { DeveloperScope, McpScope } from '../../identity/index.js';
import type { ToolServerPath } from '../../wire/index.js';

/**
 * The kinds of credentials that the authorization test sends to every route (`docs/evidence/authorization.md`).
 * `foreign` is a valid credential of a user who does not own the resource.
 */
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
  'session',
  'crossSite',
  'missingHeader',
  'foreign',
] as const;

export type CredentialCase = (typeof credentialCases)[number];

/**
 * The status that a route must answer for a credential case. `served`: the route's own success status. `null`: the
 * route has no such case.
 */
export type Expected = 'served' | 401 | 403 | 404 | 204 | null;

/**
 * The credential that a route needs, and the status for every other credential. The case `expired` is an expired ID
 * token. The case `revoked` is a revoked developer key. On routes without keys, `revoked` is the ID token of a deleted
 * account. On routes of the console, `expired` and `revoked` are cookies of ended sessions. Requests of the cases
 * `crossSite` and `missingHeader` have the cookie of an open session. `crossSite`: the request comes from a page of
 * another origin. `missingHeader`: it lacks the console's own header.
 */
export interface Access {
  readonly kind: 'open' | 'developer' | 'keyOwner' | 'firstParty' | 'assistant' | 'session' | 'entry';
  /** Scope that a key or access token needs. An ID token has every scope. */
  readonly scope: DeveloperScope | McpScope | null;
  /** Whether a `developer` route also accepts an ID token. */
  readonly idToken: boolean;
  /** The tool server address that the 401 answer of an `assistant` route names. Default: `/v1/mcp/sse`. */
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
  session: 401,
  crossSite: null,
  missingHeader: null,
} as const;

/** Access of a route that needs no credential. */
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
    session: 'served',
    crossSite: null,
    missingHeader: null,
  },
};

/**
 * Access of a route that needs a developer key.
 * @param scope the scope that the key needs; null: none.
 */
export const developerKey = (scope: DeveloperScope | null): Access => ({
  kind: 'developer',
  scope,
  idToken: false,
  expected: { ...refused, developerKey: 'served', missingScope: scope === null ? null : 403 },
});

/** Access of a route that needs a developer key with a scope, or an ID token. */
export const developerKeyOrIdToken = (scope: DeveloperScope): Access => ({
  kind: 'developer',
  scope,
  idToken: true,
  expected: { ...refused, developerKey: 'served', idToken: 'served', missingScope: 403 },
});

/**
 * Access of a route that needs an MCP key, or an access token that a user granted to an assistant. The credential
 * must have `scope`; null: it needs no scope.
 * @param at the tool server address of the route.
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

/** Access of a route where signed-in users manage their keys. Needs an ID token. */
export const keyOwner: Access = {
  kind: 'keyOwner',
  scope: null,
  idToken: true,
  expected: { ...refused, idToken: 'served', missingScope: null },
};

/** Access of a route that needs the ID token of a signed-in user. */
export const firstParty: Access = { ...keyOwner, kind: 'firstParty' };

/** Access of a route of the console, which needs the cookie of a session. Keys and tokens give no access. */
const sessionFor = (missingHeader: Expected): Access => ({
  kind: 'session',
  scope: null,
  idToken: false,
  expected: { ...refused, missingScope: null, session: 'served', crossSite: 403, missingHeader },
});

/** Access of a route with which the console reads data. */
export const sessionReads: Access = sessionFor(null);
/** Access of a route with which the console changes data. */
export const sessionWrites: Access = sessionFor(403);

/**
 * Access of a route that begins a session at the console. Needs no credential, but a page of the console must send the
 * request.
 */
export const entry: Access = {
  ...open,
  kind: 'entry',
  expected: { ...open.expected, crossSite: 403, missingHeader: 403 },
};
