/**
 * Tests assistants of users who sign in at the operator's own issuer. No answer may name an endpoint that this service
 * does not have.
 */
import t, { type Test } from 'tap';
import { assistantResource } from '../../../src/identity/assistant-resource.js';
import { authorizationServer, hasExternalIssuer } from '../../../src/identity/external-issuer.js';
import { scopesOf } from '../../../src/identity/scopes.js';
import { toolServerPaths } from '../../../src/wire/event-stream.js';
import { startTokenIssuer } from '../../attack/support/token-issuer.js';
import { type Api, startApi, testSettings } from '../support.js';

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' };

const challengeAt = async (api: Api, path: string, credential: string | null = null) => {
  const { status, headers } = await api.call(path, { credential, body: initialize });
  return { status, challenge: headers.get('www-authenticate') ?? '' };
};

t.test('an external issuer with an address', async (t: Test) => {
  const issuer = await startTokenIssuer(t);
  const api = await startApi(t, { ...(issuer.env as Record<string, string>), SIDECAR_PORT: '0' });
  const resource = assistantResource(api.settings);
  const address = resource.replace('/v1/mcp/sse', '');
  const access = (scope: unknown, aud: string | string[] = resource, more: object = {}) =>
    issuer.token('zoe', 3600, { aud, scope, ...more });
  const profile = async (credential: string) => (await api.call('/v1/mcp/profile', { credential })).status;

  await t.test('challenges and metadata name only existing endpoints', async (t) => {
    const metadata = {
      authorization_servers: [issuer.env.ID_TOKEN_ISSUER],
      scopes_supported: scopesOf.mcp,
      bearer_methods_supported: ['header'],
      resource_documentation: `${address}/docs`,
    };
    for (const path of toolServerPaths) {
      const { status, challenge } = await challengeAt(api, path);
      t.equal(status, 401);
      const named = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
      const found = await api.call(named.slice(address.length));
      t.equal(found.status, 200);
      t.same(found.body, { ...metadata, resource: `${address}${path}` });
      t.match(found.headers.get('cache-control'), /max-age/);
    }
    const short = await api.call('/.well-known/oauth-protected-resource');
    t.same(short.body, { ...metadata, resource });
    const { authentication } = (await api.call('/v1/mcp/sse/info')).body;
    t.same(authentication.methods, ['oauth2', 'api_key']);
    t.equal(authentication.oauth2.authorization_server, issuer.env.ID_TOKEN_ISSUER);
    t.notMatch(authentication.oauth2, { token_endpoint: String });
    t.notMatch(authentication.oauth2, { authorization_endpoint: String });
    for (const path of ['authorization-server', 'openid-configuration'])
      t.equal((await api.call(`/.well-known/${path}`)).status, 404, 'the built-in issuer is not served');
  });

  await t.test('access tokens of the issuer give access according to their scopes', async (t) => {
    const reading = await access('openid memories.read unknown');
    t.equal(await profile(reading), 200);
    const call = (path: string, body?: unknown) => api.call(path, { credential: reading, body });
    t.equal((await call('/v1/mcp/memories')).status, 200);
    const lacking = await call('/v1/mcp/memories', { content: 'Likes tea.' });
    t.equal(lacking.status, 403);
    t.match(lacking.headers.get('www-authenticate'), /error="insufficient_scope", scope="memories.write"/);
    const writing = await access(undefined, [`${address}/v1/mcp/`, 'another'], { scp: ['memories.write'] });
    const written = await api.call('/v1/mcp/memories', {
      credential: writing,
      body: { content: 'Likes tea.' },
    });
    t.equal(written.status, 200);
    t.equal((await api.call('/v1/mcp/memories', { credential: writing })).status, 403);
    t.match((await call('/v1/mcp/memories')).body, [{ content: 'Likes tea.' }], 'a token of the same user');
    t.equal((await challengeAt(api, '/v1/mcp', await access(''))).status, 200);
    t.equal((await api.call('/v1/mcp/memories', { credential: await access('') })).status, 403);
  });

  await t.test('refuses tokens with another audience, issuer, purpose or time', async (t) => {
    for (const [name, token] of Object.entries({
      'an ID token': await issuer.token('zoe'),
      'another resource': await access('memories.read', 'https://elsewhere.example/v1/mcp/sse'),
      'an expired token': await issuer.token('zoe', -60, { aud: resource, scope: 'memories.read' }),
      'another issuer': await access('memories.read', resource, { iss: 'https://elsewhere.example' }),
      'a changed token': `${await access('memories.read')}x`,
    })) {
      const { status, challenge } = await challengeAt(api, '/v1/mcp', token);
      t.equal(status, 401, name);
      t.match(challenge, /v1\/mcp", error="invalid_token"/, name);
    }
    const own = async (token: string) => (await api.call('/v1/mcp/keys', { credential: token })).status;
    t.equal(await own(await issuer.token('zoe')), 200);
    t.equal(await own(await access('memories.read')), 401, 'an access token is not an ID token');
    t.equal(
      await own(await access('memories.read', ['cochlea', resource])),
      401,
      'nor is a token for both audiences',
    );
  });

  await t.test('the token type in the header must match the use', async (t) => {
    const claims = { aud: resource, scope: 'memories.read' };
    for (const [typ, idToken, accessToken] of [
      ['JWT', 200, 200],
      ['application/jwt', 200, 200],
      ['at+jwt', 401, 200],
      ['application/AT+JWT', 401, 200],
      ['logout+jwt', 401, 401],
      ['secevent+jwt', 401, 401],
      ['', 200, 200],
    ] as const) {
      const own = await api.call('/v1/mcp/keys', { credential: await issuer.token('zoe', 3600, {}, typ) });
      t.equal(own.status, idToken, `${typ} as an ID token`);
      t.equal(
        await profile(await issuer.token('zoe', 3600, claims, typ)),
        accessToken,
        `${typ} for the tools`,
      );
    }
  });

  await t.test('refuses a user whose account is being deleted', async (t) => {
    const token = await issuer.token('leaving', 3600, { aud: resource, scope: 'memories.read' });
    t.equal(await profile(token), 200);
    await api.sql`update users set deleting_at = now() where uid = 'leaving'`;
    t.equal(await profile(token), 403);
  });

  await t.test('MCP keys still open the tool server', async (t) => {
    const credential = await issuer.token('zoe');
    const { key } = (await api.call('/v1/mcp/keys', { credential, body: { name: 'laptop' } })).body;
    t.equal((await challengeAt(api, '/v1/mcp/sse', key)).status, 200);
  });
});

t.test('recognises an external issuer and its address from the settings', async (t) => {
  for (const [issuer, keys, isExternal, server] of [
    ['', '', false, 'https://cochlea.example'],
    ['https://login.example', '', true, 'https://login.example'],
    [
      'http://login.example:8080/realm',
      'https://login.example/keys',
      true,
      'http://login.example:8080/realm',
    ],
    ['', 'https://login.example/keys', true, null],
    ['our-login', 'https://login.example/keys', true, null],
    ['http://[login', 'https://login.example/keys', true, null],
    ['urn:login', 'https://login.example/keys', true, null],
  ] as const) {
    const settings = {
      ...testSettings({ PUBLIC_URL: 'https://cochlea.example' }),
      ...{ idTokenIssuer: issuer, idTokenJwks: keys },
    };
    t.equal(hasExternalIssuer(settings), isExternal, `${issuer} ${keys}`);
    t.equal(authorizationServer(settings), server, `${issuer} ${keys}`);
  }
});

t.test('a token for the audience of ID tokens does not open the tool server', async (t) => {
  const issuer = await startTokenIssuer(t);
  const publicUrl = 'https://cochlea.example';
  const api = await startApi(t, {
    ...(issuer.env as Record<string, string>),
    PUBLIC_URL: publicUrl,
    ID_TOKEN_AUDIENCE: publicUrl,
  });
  const token = await issuer.token('zoe', 3600, { aud: publicUrl, scope: 'memories.read' });
  t.equal((await api.call('/v1/mcp/keys', { credential: token })).status, 200);
  t.equal((await api.call('/v1/mcp/profile', { credential: token })).status, 401);
});

t.test('with an issuer without an address, assistants can only use keys', async (t) => {
  const api = await startApi(t, {
    ID_TOKEN_ISSUER: 'our-login',
    ID_TOKEN_JWKS: 'https://login.example/keys',
  });
  for (const path of toolServerPaths)
    t.same(await challengeAt(api, path), { status: 401, challenge: 'Bearer' });
  const { authentication, instructions } = (await api.call('/v1/mcp/sse/info')).body;
  t.same(authentication.methods, ['api_key']);
  t.notOk('oauth2' in authentication);
  t.notMatch(instructions.step1, /access/);
  t.equal((await api.call('/.well-known/oauth-protected-resource/v1/mcp')).status, 404);
});
