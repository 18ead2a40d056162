/** The OpenAPI document that is made from the declared routes, and the page that shows it. */
import t from 'tap';
import { loadSettings } from '../../src/config/index.js';
import { allRoutes } from '../../src/sidecar/routes.js';
import { startApi } from './support.js';

/** Operations that deployed clients call, by the names that their description gives them. */
const promised: readonly [method: string, url: string, operationId: string][] = [
  ['get', '/v1/dev/keys', 'listApiKeys'],
  ['post', '/v1/dev/keys', 'createApiKey'],
  ['delete', '/v1/dev/keys/{key_id}', 'revokeApiKey'],
  ['get', '/v1/dev/key', 'getCallingApiKey'],
  ['get', '/v1/dev/user/conversations', 'listConversations'],
  ['get', '/v1/dev/user/conversations/{id}', 'getConversation'],
  ['post', '/v1/dev/user/conversations/from-segments', 'createConversationFromSegments'],
  ['post', '/v2/voice-message/transcribe', 'transcribeVoiceMessage'],
  ['post', '/v2/voice-messages', 'sendVoiceMessage'],
];

/** The other addresses of the contract, each with its version. */
const addresses: readonly [method: string, url: string][] = [
  ['get', '/v1/dev/user/folders'],
  ['get', '/v1/dev/user/memories'],
  ['post', '/v1/dev/user/memories'],
  ['patch', '/v1/dev/user/memories/{id}'],
  ['delete', '/v1/dev/user/memories/{id}'],
  ['post', '/v1/dev/user/conversations'],
  ['patch', '/v1/dev/user/conversations/{id}'],
  ['delete', '/v1/dev/user/conversations/{id}'],
  ['get', '/v1/dev/user/action-items'],
  ['post', '/v1/dev/user/action-items'],
  ['patch', '/v1/dev/user/action-items/{id}'],
  ['delete', '/v1/dev/user/action-items/{id}'],
  ['get', '/v1/dev/user/goals'],
  ['post', '/v1/dev/user/goals'],
  ['get', '/v1/dev/user/goals/{id}'],
  ['patch', '/v1/dev/user/goals/{id}'],
  ['delete', '/v1/dev/user/goals/{id}'],
  ['patch', '/v1/dev/user/goals/{id}/progress'],
  ['get', '/v1/dev/user/goals/{id}/history'],
  ['get', '/v1/mcp/memories'],
  ['get', '/v1/mcp/memories/search'],
  ['get', '/v1/mcp/conversations'],
  ['get', '/v1/mcp/action-items'],
];

t.test('the description of the API', async (t) => {
  const api = await startApi(t);
  // The page's own copy is asked for first: the document is made for whichever request comes first.
  const shown = await api.call('/docs/json');
  const { status, body, headers } = await api.call('/openapi.json');
  t.equal(status, 200);
  t.match(headers.get('content-type'), /^application\/json/);
  t.equal((await fetch(`${api.base}/openapi.json`, { method: 'HEAD' })).status, 200);
  t.match(body, { openapi: '3.1.0', info: { version: '1.0.0' } });
  t.same(shown.body, body, 'the page shows the same document');

  t.test('has the operations under their names', async (t) => {
    for (const [method, url, operationId] of promised) {
      t.equal(body.paths[url]?.[method]?.operationId, operationId, `${method} ${url}`);
    }
  });

  t.test('has every address of the contract under its version', async (t) => {
    for (const [method, url] of addresses) t.ok(body.paths[url]?.[method], `${method} ${url}`);
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

  t.test('documents every error that an operation has', async (t) => {
    const create = body.paths['/v1/dev/user/conversations/from-segments'].post;
    const statuses = ['200', '400', '401', '403', '413', '422', '429', '500', '503', '504'];
    t.same(Object.keys(create.responses).sort(), statuses);
    const schemaOf = (code: string) => create.responses[code].content['application/json'].schema.$ref;
    t.equal(schemaOf('401'), '#/components/schemas/ErrorResponse');
    t.equal(schemaOf('422'), '#/components/schemas/HTTPValidationError');
    t.same(create.security, [{ developerApiKey: [] }, { firebaseBearer: [] }]);
    t.ok(create.responses['429'].headers['Retry-After']);
  });

  t.test('has examples that the schemas accept, and resources that an operation makes', async (t) => {
    const routes = allRoutes({ settings: loadSettings().values } as never);
    t.ok(routes.length >= promised.length);
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

  t.test('is shown by a page that loads nothing from elsewhere', async (t) => {
    const page = await api.call('/docs/');
    t.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    t.match(policy, /default-src 'none'/);
    t.notMatch(policy, /unsafe|https?:|\*/);
    const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
    t.ok(links.length >= 4, `${links.length} files`);
    t.notMatch(page.body, /<style|<script>(?!<)|\son\w+=/, 'nothing inline');
    for (const link of links) {
      t.notMatch(link, /^(https?:)?\/\//, link);
      const file = await fetch(new URL(link, `${api.base}/docs/`));
      t.equal(file.status, 200, link);
      await file.body?.cancel();
    }
  });
});
