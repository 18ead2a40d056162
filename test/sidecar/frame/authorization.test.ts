/**
 * Calls every route with every kind of credential. Each answer must have the status that
 * docs/evidence/authorization.md lists.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { validate as isUuid } from 'uuid';
import { createApiKey, revokeApiKey } from '../../../src/identity/api-keys.js';
import { assistantResource } from '../../../src/identity/assistant-resource.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { developerScopes, scopesOf } from '../../../src/identity/scopes.js';
import { issueIdToken } from '../../../src/identity/token-issuer.js';
import { recordHash } from '../../../src/issuer/record-hash.js';
import { mergeConversationsOf } from '../../../src/service/corrections/merge-conversations.js';
import { type CredentialCase, credentialCases } from '../../../src/sidecar/access/access.js';
import {
  expectedStatus,
  undeployedConsole,
  undeployedRoutes,
} from '../../../src/sidecar/authorization-page.js';
import { type Route, successStatus } from '../../../src/sidecar/frame/route.js';
import { removeGrant, storeRecord } from '../../../src/store/accounts/issuer-records.js';
import { createMcpKey } from '../../support/mcp-key.js';
import { until } from '../../support/until.js';
import { type Api, consoleHeaders, consoleSession, type Person, silentUpload, startApi } from '../support.js';

const routes = [...undeployedRoutes(), ...undeployedConsole()];

/** The cases of credentials in the header `Authorization`. */
type BearerCase = Exclude<CredentialCase, 'session' | 'crossSite' | 'missingHeader'>;
type HeaderSet = Readonly<Record<string, string>>;

const isOfConsole = ({ access: { kind } }: Route): boolean => kind === 'session' || kind === 'entry';

/** Operations that revoke the credential of their own request. */
const endingCredentials = new Set(['deleteAccount', 'signOutEverywhere']);

/** Makes a credential that the route accepts. Null if it needs none. */
const validFor = async (
  { sql, settings }: Api,
  { access }: Route,
  { uid, key, token }: Person,
): Promise<string | null> => {
  if (access.kind === 'open') return null;
  if (access.kind === 'developer') return key;
  if (access.kind !== 'assistant') return token;
  return (await createMcpKey(sql, settings, uid)).key;
};

/** Creates the resource that the route's path names. Returns the path's parameters. */
const resourceOf = async (api: Api, route: Route, owner: Person): Promise<Record<string, string>> => {
  if (!route.resource?.createdBy) return {};
  const { createdBy, parameter = 'id', field = 'id' } = route.resource;
  const maker = routes.find(({ operationId }) => operationId === createdBy)!;
  const made = await api.call(maker.url, {
    method: maker.method,
    credential: await validFor(api, maker, owner),
    body: maker.upload ? silentUpload() : (maker.example?.body ?? {}),
  });
  if (made.status !== successStatus(maker))
    throw new Error(`${createdBy} answered ${made.status} ${JSON.stringify(made.body)}`);
  return { [parameter]: made.body[field] as string };
};

/** Stores an access token of the built-in issuer, with its grant. Returns the token. */
const accessToken = async (
  { sql, settings }: Api,
  uid: string,
  scopes: readonly string[],
  grantId: string = randomUUID(),
): Promise<string> => {
  const token = `svc_oat_${randomUUID()}`;
  const aud = assistantResource(settings);
  const scope = scopes.join(' ');
  const record = { uid, clientId: 'helper', grantId, sessionUid: null, expiresIn: 600 };
  const grant = { kind: 'Grant', hash: grantId, payload: { resources: { [aud]: scope } } };
  await storeRecord(sql, { ...record, ...grant });
  await storeRecord(sql, {
    ...record,
    kind: 'AccessToken',
    hash: recordHash(token),
    payload: { aud, scope },
  });
  return token;
};

/** Returns values of `Authorization` for a case. null is a request without this header. */
const authorizationOf = async (
  api: Api,
  route: Route,
  credential: BearerCase,
  owner: Person,
  leaving: Person,
): Promise<(string | null)[]> => {
  const { sql, settings } = api;
  const { uid, key, token } = owner;
  const bearer = (value: string): string[] => [`Bearer ${value}`];
  switch (credential) {
    case 'none':
      return [null];
    case 'malformed':
      return [`Basic ${key}`, 'Bearer', 'Bearer nonsense', key, `Bearer ${token}x`];
    case 'developerKey':
      return bearer(key);
    case 'mcpKey':
      return bearer((await createMcpKey(sql, settings, uid)).key);
    case 'accessToken':
      return bearer(await accessToken(api, uid, scopesOf.mcp));
    case 'idToken':
      return bearer(token);
    case 'expired':
      return bearer(await issueIdToken(sql, { ...settings, idTokenLifetime: -3600 }, uid));
    case 'revoked': {
      if (route.access.kind === 'assistant') {
        const made = await createApiKey(sql, settings, { uid, name: 'r', family: 'mcp' });
        await revokeApiKey(sql, uid, made.record.id, 'mcp');
        const taken = await accessToken(api, uid, scopesOf.mcp, 'taken');
        await removeGrant(sql, 'taken');
        return [...bearer(made.key), ...bearer(taken)];
      }
      if (route.access.kind !== 'developer') {
        const gone = await api.person();
        await sql`delete from users where uid = ${gone.uid}`;
        return bearer(gone.token);
      }
      const made = await createApiKey(sql, settings, { uid, name: 'r', scopes: developerScopes });
      await revokeApiKey(sql, uid, made.record.id);
      return bearer(made.key);
    }
    case 'deleting': {
      const { access } = route;
      if (access.kind === 'assistant') {
        const made = await createApiKey(sql, settings, { uid: leaving.uid, name: 'd', family: 'mcp' });
        return [...bearer(made.key), ...bearer(await accessToken(api, leaving.uid, scopesOf.mcp))];
      }
      if (access.kind !== 'developer') return bearer(leaving.token);
      return [...bearer(leaving.key), ...(access.idToken ? bearer(leaving.token) : [])];
    }
    case 'missingScope': {
      if (route.access.kind === 'assistant') {
        const scopes = scopesOf.mcp.filter((scope) => scope !== route.access.scope);
        const made = await createApiKey(sql, settings, { uid, name: 's', family: 'mcp', scopes });
        return [...bearer(made.key), ...bearer(await accessToken(api, uid, scopes))];
      }
      const scopes = developerScopes.filter((scope) => scope !== route.access.scope);
      return bearer((await createApiKey(sql, settings, { uid, name: 's', scopes })).key);
    }
    case 'foreign': {
      const stranger = await api.person(developerScopes);
      return bearer((await validFor(api, route, stranger)) ?? '');
    }
  }
};

/** Returns the headers of requests for a case of a route of the console. */
const consoleCases = async (
  api: Api,
  route: Route,
  credential: CredentialCase,
  owner: Person,
  leaving: Person,
): Promise<HeaderSet[]> => {
  const { sql } = api;
  const withSession = async ({ uid }: Person): Promise<HeaderSet> =>
    consoleHeaders(api, await consoleSession(sql, uid));
  const changes = route.method !== 'GET';
  switch (credential) {
    case 'none':
      return [consoleHeaders(api)];
    case 'session':
      return [await withSession(owner)];
    case 'foreign':
      return [await withSession(await api.person(developerScopes))];
    case 'deleting': {
      await sql`update users set deleting_at = null where uid = ${leaving.uid}`;
      const headers = await withSession(leaving);
      await sql`update users set deleting_at = now() where uid = ${leaving.uid}`;
      return [headers];
    }
    case 'expired': {
      const [unused, old] = [await api.person(), await api.person()];
      const headers = [await withSession(unused), await withSession(old)];
      await sql`update console_sessions set used_at = now() - interval '12 hours' where uid = ${unused.uid}`;
      await sql`update console_sessions set created_at = now() - interval '14 days' where uid = ${old.uid}`;
      return headers;
    }
    case 'revoked': {
      const gone = await api.person();
      const headers = await withSession(gone);
      await api.call('/console/api/sign-out', { method: 'POST', headers });
      return [headers];
    }
    case 'crossSite': {
      const headers = await withSession(owner);
      const { origin: _, ...withoutOrigin } = headers;
      const { 'sec-fetch-site': __, ...withoutSite } = headers;
      return [
        { ...headers, origin: 'https://evil.example' },
        { ...headers, origin: 'null' },
        { ...headers, 'sec-fetch-site': 'cross-site' },
        { ...headers, 'sec-fetch-site': 'same-site' },
        // Browsers send `none` if the user types the address, because the request then comes from no page.
        { ...headers, 'sec-fetch-site': 'none' },
        withoutSite,
        ...(changes ? [withoutOrigin] : []),
      ];
    }
    case 'missingHeader': {
      const { 'x-cochlea-console': _, ...headers } = await withSession(owner);
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
      const typed = types.map((type) => ({ ...headers, 'x-cochlea-console': '1', 'content-type': type }));
      return [headers, { ...headers, 'x-cochlea-console': '0' }, ...(route.body ? typed : [])];
    }
    case 'malformed': {
      const nonsense = 'cochlea_console=nonsense';
      const { cookie } = await withSession(owner);
      // Another program on the host may have set a second cookie.
      const two = { ...consoleHeaders(api), cookie: `${cookie}; ${nonsense}` };
      return [{ ...consoleHeaders(api), cookie: nonsense }, two, ...(await bearers())];
    }
    default:
      return bearers();
  }
  async function bearers(): Promise<HeaderSet[]> {
    const values = await authorizationOf(api, route, credential as BearerCase, owner, leaving);
    return values.map((authorization) => ({ ...consoleHeaders(api), authorization: authorization! }));
  }
};

/** Returns the headers of requests for a case. */
const headersOf = async (
  api: Api,
  route: Route,
  credential: CredentialCase,
  owner: Person,
  leaving: Person,
): Promise<HeaderSet[]> => {
  if (isOfConsole(route)) return consoleCases(api, route, credential, owner, leaving);
  if (credential === 'session') return [consoleHeaders(api, await consoleSession(api.sql, owner.uid))];
  const values = await authorizationOf(api, route, credential as BearerCase, owner, leaving);
  return Promise.all(
    values.map(async (authorization) => ({
      ...(authorization === null ? {} : { authorization }),
      ...(await sessionFor(api, route, authorization)),
    })),
  );
};

/** Reads a segment of a conversation. Examples of requests name a segment that does not exist. */
const segmentOf = async (
  { sql }: Api,
  { id }: Record<string, string>,
): Promise<{ segment_id: string; revision: number } | undefined> => {
  if (!isUuid(id)) return undefined;
  const [segment] = await sql<{ segment_id: string; revision: number }[]>`
    select id as segment_id, revision from segments where conversation_id = ${id!} order by position desc limit 1`;
  return segment;
};

/** Makes two conversations that can be merged. */
const twoConversations = async (api: Api, owner: Person): Promise<string[]> => {
  const divisible = routes.find(({ operationId }) => operationId === 'consoleSplitConversation')!;
  const made = [await resourceOf(api, divisible, owner), await resourceOf(api, divisible, owner)];
  return made.map(({ id }) => id!);
};

/** Merges two conversations. @returns the id with which the merge can be undone */
const mergedConversations = async (api: Api, owner: Person): Promise<string | null> =>
  (await mergeConversationsOf(api.sql, owner.uid, await twoConversations(api, owner))).undo;

/**
 * Returns the body of a valid request. A link to the console works once, so each request gets a new link. Segments and
 * revisions are those of the conversation in `parameters`.
 */
const bodyOf = async (
  api: Api,
  { access, example, operationId }: Route,
  owner: Person,
  parameters: Record<string, string>,
): Promise<unknown> => {
  if (access.kind === 'entry') return { link: (await createConsoleLink(api.sql, owner.uid)).secret };
  const body = example?.body;
  if (typeof body !== 'object' || body === null) return body;
  if (operationId === 'consoleMergeConversations') return { ids: await twoConversations(api, owner) };
  if (operationId === 'consoleUndoChange') return { undo: await mergedConversations(api, owner) };
  const segment = { ...(await segmentOf(api, parameters)) };
  return { ...body, ...Object.fromEntries(Object.entries(segment).filter(([name]) => name in body)) };
};

/**
 * Opens a new session of the user if the route ends sessions. @returns the header of the session, or no header for
 * other routes.
 */
const sessionFor = async (
  api: Api,
  { method, url }: Route,
  authorization: string | null,
): Promise<Record<string, string>> => {
  if (method !== 'DELETE' || !/^\/v1\/mcp(\/sse)?\/?$/.test(url) || authorization === null) return {};
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize' };
  const { headers } = await api.call(url, { headers: { authorization }, body });
  const session = headers.get('mcp-session-id');
  return session === null ? {} : { 'mcp-session-id': session };
};

t.test('every route answers every kind of credential as documented', async (t) => {
  const api = await startApi(t, { MAX_KEYS_PER_USER: '10000' });
  await until(async () => (await api.call('/health/ready')).status === 200, 'the service is ready');
  const usual = await api.person(developerScopes);
  // A second user has the folders and people for the console's cases, because one user may have only 100 folders.
  const browsing = await api.person(developerScopes);
  const leaving = await api.person(developerScopes);
  await api.sql`update users set deleting_at = now() where uid = ${leaving.uid}`;
  let asked = 0;
  for (const route of routes) {
    const ends = endingCredentials.has(route.operationId);
    for (const credential of credentialCases) {
      const expected = expectedStatus(route, credential);
      if (expected === null) continue;
      const owner = ends ? await api.person(developerScopes) : isOfConsole(route) ? browsing : usual;
      for (const headers of await headersOf(api, route, credential, owner, leaving)) {
        const parameters: Record<string, string> = {
          ...route.example?.path,
          ...(await resourceOf(api, route, owner)),
        };
        if ('segment_id' in parameters)
          parameters.segment_id = (await segmentOf(api, parameters))?.segment_id ?? parameters.segment_id!;
        const path = route.url.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name]!);
        const query = new URLSearchParams(route.example?.query);
        const { status, body } = await api.call(`${path}?${query}`, {
          method: route.method,
          headers,
          ...(route.body && { body: await bodyOf(api, route, owner, parameters) }),
          ...(route.upload && { body: silentUpload() }),
        });
        asked++;
        if (status !== expected) {
          const shown = JSON.stringify(headers)
            .replaceAll(/[0-9a-f]{32}/g, '...')
            .slice(0, 200);
          t.fail(
            `${route.operationId}, ${credential} (${shown}): ${status} instead of ${expected}: ${JSON.stringify(body)}`,
          );
        }
      }
    }
  }
  t.ok(asked > 9 * routes.length, `${asked} requests`);
  t.ok(
    routes.every(
      (route) =>
        expectedStatus(route, 'none') ===
        (route.access.kind === 'open' || route.access.kind === 'entry' ? successStatus(route) : 401),
    ),
  );
});
