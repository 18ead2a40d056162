/** Sends random values to every declared route. No answer may have a server error or an undeclared status. */
import fc from 'fast-check';
import t from 'tap';
import { developerScopes } from '../../../src/identity/scopes.js';
import { undeployedConsole, undeployedRoutes } from '../../../src/sidecar/authorization-page.js';
import { successStatus } from '../../../src/sidecar/frame/route.js';
import { errorsOf } from '../../../src/sidecar/frame/route-errors.js';
import { createMcpKey } from '../../support/mcp-key.js';
import {
  type Answer,
  consoleHeaders,
  consoleSession,
  type Request,
  silentUpload,
  startApi,
} from '../support.js';

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(
    null,
    '\0',
    '\ud800',
    '',
    ' ',
    '🧠'.repeat(600),
    1e308,
    -0,
    '0000-01-01',
    '9999-12-31',
    2 ** 53,
  ),
);
const anything = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 5 }), scalar, { maxKeys: 3 }) },
);
const text = fc.oneof(scalar.map(String), fc.constantFrom('true', '2024-01-01', '12', 'W10', '%'));
const id = fc.oneof(text, fc.uuid(), fc.constantFrom('goal_000000000000', '.'));

/** Returns the path of each value in an example, from the root on. The test replaces the value at one path. */
const pathsOf = (value: unknown, path: readonly string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [[...path], ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
    : [[...path]];

const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...(value as Record<string, unknown>) };
  (copy as Record<string, unknown>)[key] = replaced((copy as Record<string, unknown>)[key], rest, by);
  return copy;
};

t.test('random values for every route', async (t) => {
  const api = await startApi(t);
  const { uid, key, token } = await api.person(developerScopes);
  const mcp = await createMcpKey(api.sql, api.settings, uid);
  const browser = consoleHeaders(api, await consoleSession(api.sql, uid));
  const { body: description } = await api.call('/openapi.json');
  const { body: ofConsole } = await api.call('/console/api/openapi.json', { headers: browser });
  // The console's description does not contain its own operation.
  const paths = { ...description.paths, ...ofConsole.paths, '/console/api/openapi.json': { get: {} } };
  // test/sidecar/mcp/tool-transport.test.ts tests the routes that are missing in the OpenAPI document.
  const ends = ({ operationId }: { readonly operationId: string }): number =>
    ['deleteAccount', 'signOutEverywhere', 'consoleSignOut'].includes(operationId) ? 1 : 0;
  // Routes that end the credentials of this test come last.
  const routes = [...undeployedRoutes(), ...undeployedConsole()]
    .filter(({ access, described }) => access.kind !== 'open' && described !== false)
    .sort((one, other) => ends(one) - ends(other));
  const isOfConsole = (kind: string): boolean => kind === 'session' || kind === 'entry';
  const credentialOf = (kind: string): string | null =>
    isOfConsole(kind) ? null : kind === 'developer' ? key : kind === 'assistant' ? mcp.key : token;
  const made = new Map<string, string>();

  for (const route of routes) {
    const { parameters = [] } = paths[route.url][route.method.toLowerCase()];
    const names: string[] = parameters
      .filter((one: { in: string }) => one.in === 'query')
      .map((one: { name: string }) => one.name);
    const declared = new Set<number>([successStatus(route), ...errorsOf(route).keys()]);
    const createdBy = route.resource?.createdBy ?? null;
    if (createdBy !== null && !made.has(createdBy)) {
      const maker = routes.find(({ operationId }) => operationId === createdBy)!;
      const credential = credentialOf(maker.access.kind);
      const answer = await api.call(maker.url, {
        method: maker.method,
        credential,
        body: maker.upload ? silentUpload() : maker.example?.body,
      });
      made.set(maker.operationId, answer.body[route.resource?.field ?? 'id']);
    }
    const own = createdBy === null ? '' : made.get(createdBy)!;
    const places = pathsOf(route.example?.body);
    const request = fc.record({
      id: fc.oneof(fc.constant(own), id),
      query:
        names.length > 0
          ? fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 3 })
          : fc.constant([]),
      place: fc.constantFrom(...places),
      value: anything,
      intact: fc.boolean(),
      header: fc.option(
        fc.string({
          unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
          maxLength: 220,
        }),
      ),
    });
    const seen = new Map<number, number>();
    const property = fc.asyncProperty(request, async ({ id, query, place, value, intact, header }) => {
      const path = route.url.replace(/\{\w+\}/, encodeURIComponent(id.toWellFormed()) || '%20');
      const sent: Request = {
        method: route.method,
        credential: credentialOf(route.access.kind),
        headers: {
          ...(isOfConsole(route.access.kind) && browser),
          ...(header && { 'idempotency-key': header }),
        },
        ...(route.body && {
          body:
            JSON.stringify(intact ? route.example?.body : replaced(route.example?.body, place, value)) ?? '',
        }),
        ...(route.upload && { body: intact ? silentUpload() : JSON.stringify(value) }),
      };
      const { status, body }: Answer = await api.call(`${path}?${new URLSearchParams(query)}`, sent);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      // The URL parser removes "." and "..", so the request reaches a different path.
      if (/^\.{0,2}$/.test(id) && [404, 405].includes(status)) return;
      // The request may name a language that no provider of this sidecar transcribes.
      const unknownLanguage = route.failureBody !== undefined && status === 503;
      if (!declared.has(status) || (status >= 500 && !unknownLanguage)) {
        throw new Error(`${route.operationId} answered ${status}: ${JSON.stringify(body)}`);
      }
    });
    await t.resolves(fc.assert(property, { numRuns: 15 }), `${route.operationId}: ${[...seen].join(' ')}`);
  }
});
