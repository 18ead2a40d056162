import { loadSettings } from '../config/index.js';
import { type CredentialCase, credentialCases } from './access/index.js';
import { consoleRoutes } from './console/index.js';
import { type Route, type RouteContext, successStatus } from './frame/index.js';
import { allRoutes } from './routes.js';

/** Returns the status that a route declares for a credential; null if the case does not exist. */
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
  session: 'session',
  crossSite: 'other site',
  missingHeader: 'header missing',
  foreign: "another user's resource",
};

/** Returns the text of `docs/evidence/authorization.md`, made from the declared routes. */
export const authorizationPage = (routes: readonly Route[]): string => {
  const rows = routes.map((route) => {
    const statuses = credentialCases.map((credential) => expectedStatus(route, credential) ?? '');
    return `| \`${route.method} ${route.url}\` | ${route.access.scope ?? ''} | ${statuses.join(' | ')} |`;
  });
  return [
    '# Authorization',
    '',
    'The answer to every request for every kind of credential, as its route declares it.',
    '`node dist/src/sidecar/authorization-page.js > docs/evidence/authorization.md` makes this page from',
    '`src/sidecar/routes.ts` and `src/sidecar/console/routes.ts`.',
    'A test compares the two and asks a running server for every cell.',
    '',
    'Keys and the access token have every scope, except in the column `scope missing`. An empty cell is a case that the',
    'route does not have. Some columns need a definition:',
    '',
    '- `malformed`: a header of another scheme, or a bearer token that is neither a key nor a token',
    '- `expired`: an expired ID token',
    '- `revoked`: a revoked developer key; for routes without keys, the ID token of a deleted account',
    '- `being deleted`: any credential that the route takes, of an account that is being deleted',
    '- `session`: the cookie of a session at the console, and no other credential',
    '',
    'Routes below `/console/api` take only the cookie of a session. Their requests have the headers of a page of the console.',
    'For them these columns mean:',
    '',
    '- `malformed`: also a cookie that is no session, and two different cookies of the name',
    '- `expired`: a session that was not used for 12 hours, or is older than 14 days',
    '- `revoked`: a session whose user has signed out',
    '- `other site`: a valid session, but the `Origin` or the `Sec-Fetch-Site` of a page of another origin, or none',
    '- `header missing`: a valid session, but a request that changes data lacks `x-cochlea-console: 1`, or is not JSON',
    '',
    `| request | scope | ${credentialCases.map((credential) => headings[credential]).join(' | ')} |`,
    `|---|---|${credentialCases.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n');
};

const undeployed = (): RouteContext => ({ settings: loadSettings({}).values }) as RouteContext;

/** Returns every declared route of the public API. Their handlers do not work, because the dependencies are missing. */
export const undeployedRoutes = (): readonly Route[] => allRoutes(undeployed());

/** Returns every declared route of the console, as `undeployedRoutes` does for the public API. */
export const undeployedConsole = (): readonly Route[] => consoleRoutes(undeployed());

if (process.argv[1] === new URL(import.meta.url).pathname)
  process.stdout.write(authorizationPage([...undeployedRoutes(), ...undeployedConsole()]));
