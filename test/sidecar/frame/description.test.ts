/** Tests the OpenAPI document, which is made from the declared routes, and the page that shows it. */
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { allRoutes } from '../../../src/sidecar/routes.js';
import { startApi } from '../support.js';
import { operationIds } from './operation-ids.js';

t.test('OpenAPI document', async (t) => {
  const api = await startApi(t);
  // The page's address comes first, because the first request makes the document.
  const shown = await api.call('/docs/json');
  const { status, body, headers } = await api.call('/openapi.json');
  t.equal(status, 200);
  t.match(headers.get('content-type'), /^application\/json/);
  t.equal((await fetch(`${api.base}/openapi.json`, { method: 'HEAD' })).status, 200);
  t.match(body, { openapi: '3.1.0', info: { version: '1.0.0' } });
  t.same(shown.body, body, 'the page shows the same document');

  t.test('contains every operation with its name', async (t) => {
    const described = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(
      ([url, methods]) =>
        Object.entries(methods).map(
          ([method, { operationId }]) => `${method.toUpperCase()} ${url} ${operationId}`,
        ),
    );
    t.same(described.sort(), [...operationIds].sort());
  });

  t.test('every path has a version, except health and .well-known', async (t) => {
    const routes = allRoutes({ settings: loadSettings().values } as never);
    for (const undescribed of ['/v2/voice-message/transcribe-stream', '/v1/mcp/sse', '/v1/mcp/sse/info'])
      t.ok(
        routes.some(({ url }) => url === undescribed),
        undescribed,
      );
    const unversioned = Object.keys(body.paths).filter(
      (url) => !/^\/(?:v[1-9]|health|\.well-known)\//.test(url),
    );
    t.same(unversioned, []);
  });

  t.test('documents every error of an operation', async (t) => {
    const create = body.paths['/v1/dev/user/conversations/from-segments'].post;
    const statuses = ['200', '400', '401', '403', '413', '422', '429', '500', '503', '504'];
    t.same(Object.keys(create.responses).sort(), statuses);
    const schemaOf = (code: string) => create.responses[code].content['application/json'].schema.$ref;
    t.equal(schemaOf('401'), '#/components/schemas/ErrorResponse');
    t.equal(schemaOf('422'), '#/components/schemas/HTTPValidationError');
    t.same(create.security, [{ developerApiKey: [] }, { firebaseBearer: [] }]);
    t.ok(create.responses['429'].headers['Retry-After']);
  });

  t.test('no request contains an address to which the service would send data', async (t) => {
    t.notOk('webhooks' in body);
    const named = new Set<string>();
    /** Collects the property names of requests, also from schemas that they reference. */
    const visit = (value: unknown, seen: ReadonlySet<string>): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'properties' || key === 'callbacks')
          for (const name of Object.keys(inner)) named.add(name);
        const schema = key === '$ref' ? String(inner).split('/').at(-1)! : undefined;
        if (schema === undefined) visit(inner, seen);
        else if (!seen.has(schema)) visit(body.components.schemas[schema], new Set([...seen, schema]));
      }
    };
    for (const operations of Object.values<object>(body.paths)) {
      for (const { parameters = [], requestBody, callbacks } of Object.values(operations)) {
        for (const { name } of parameters) named.add(name);
        visit({ requestBody, ...(callbacks && { callbacks }) }, new Set());
      }
    }
    t.ok(named.has('transcript_segments') && named.has('google_place_id'), 'bodies are searched');
    t.same(
      [...named].filter((name) => /ur[il]$|hook|callback/i.test(name)),
      [],
    );
  });

  t.test('examples match their schemas, and resources name the operation that creates them', async (t) => {
    const routes = allRoutes({ settings: loadSettings().values } as never);
    t.ok(routes.length >= operationIds.length);
    for (const { operationId, body: schema, answer, example, resource } of routes) {
      if (schema) t.ok(schema.safeParse(example?.body).success, `${operationId}: example of the request`);
      if (answer && example?.answer !== undefined)
        t.ok(answer.safeParse(example.answer).success, `${operationId}: example of the answer`);
      if (resource?.createdBy)
        t.ok(
          routes.some((other) => other.operationId === resource.createdBy),
          `${operationId}: ${resource.createdBy} exists`,
        );
    }
  });

  t.test('the page loads nothing from other hosts', async (t) => {
    const page = await api.call('/docs/');
    t.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    t.match(policy, /default-src 'none'/);
    t.notMatch(policy, /unsafe|https?:|\*/);
    const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
    t.ok(links.length >= 4, `${links.length} files`);
    t.notMatch(page.body, /<style|<script>(?!<)|\son\w+=/, 'no inline script or style');
    for (const link of links) {
      t.notMatch(link, /^(https?:)?\/\//, link);
      const file = await fetch(new URL(link, `${api.base}/docs/`));
      t.equal(file.status, 200, link);
      await file.body?.cancel();
    }
  });
});
