import { loadSettings } from '../config/index.js';
import { type CredentialCase, credentialCases } from './access/index.js';
import { type Route, type RouteContext, successStatus } from './frame/index.js';
import { allRoutes } from './routes.js';

/** The status that a route declares for a credential; null if the case does not exist. */
export const expectedStatus = (route: Route, credential: CredentialCase): number | null => {
  const expected =
    credential === 'foreign' ? (route.resource?.foreign ?? null) : route.access.expected[credential];
  return expected === 'served' ? successStatus(route) : expected;
};

const headings: Readonly<Record<CredentialCase, string>> = {
  none: 'none',
  malformed: 'malformed',
  developerKey: 'developer key',
  mcpKey: 'MCP key',
  accessToken: 'access token',
  idToken: 'ID token',
  expired: 'expired',
  revoked: 'revoked',
  deleting: 'being deleted',
  missingScope: 'scope missing',
  foreign: "another user's resource",
};

/** The text of `docs/evidence/authorization.md`, made from the declared routes. */
export const authorizationPage = (routes: readonly Route[]): string => {
  const rows = routes.map((route) => {
    const statuses = credentialCases.map((credential) => expectedStatus(route, credential) ?? '');
    return `| \`${route.method} ${route.url}\` | ${route.access.scope ?? ''} | ${statuses.join(' | ')} |`;
  });
  return [
    '# Authorization',
    '',
    'The status of every request for every kind of credential, as its route declares it. This page is made from',
    '`src/sidecar/routes.ts` by `node dist/src/sidecar/authorization-page.js > docs/evidence/authorization.md`; a test keeps the two',
    'equal and asks a running server for every cell.',
    '',
    'Keys and the access token have every scope, except in the column of the missing scope. Malformed: a header of another scheme, or a',
    'bearer token that is neither a key nor a token. Expired: an ID token. Revoked: a revoked developer key, or the ID token of a deleted',
    'account if the route accepts no keys. Being deleted: the account of any credential that the route accepts is in deletion. An empty cell:',
    'the case does not exist for this route.',
    '',
    `| request | scope | ${credentialCases.map((credential) => headings[credential]).join(' | ')} |`,
    `|---|---|${credentialCases.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n');
};

/** Every declared route, without working handlers. */
export const undeployedRoutes = (): readonly Route[] =>
  allRoutes({ settings: loadSettings({}).values } as RouteContext);

if (process.argv[1] === new URL(import.meta.url).pathname)
  process.stdout.write(authorizationPage(undeployedRoutes()));
