/**
 * Tests the grant of an assistant: discovery, consent, tokens, renewal and revocation. openid-client acts as the
 * assistant.
 */
import * as client from 'openid-client';
import t, { type Test } from 'tap';
import { issueIdToken } from '../../../src/identity/token-issuer.js';
import { allow, beginWith, exchange, redirect, refusedWith } from './grant-support.js';
import { Browser, type Page, type SignInApi, startIssuer } from './sign-in-support.js';

/** Grants scopes in a new browser, and exchanges the code for tokens. */
const granted = async (api: SignInApi, email: string, scopes = ['memories.read', 'goals.read']) => {
  const browser = new Browser(api.base);
  const begun = await beginWith(api.base);
  const consent = await browser.signIn(await browser.get(begun.address.href), email);
  const code = await allow(browser, consent, scopes);
  return { ...begun, browser, code, tokens: await exchange(begun, code) };
};

const token = async (
  api: SignInApi,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) => {
  const answer = await fetch(`${api.base}/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as { error?: string },
  };
};

const opens = async (api: SignInApi, accessToken: string) =>
  (await api.call('/v1/mcp/profile', { credential: accessToken })).status;

t.test('grants of an assistant', async (t: Test) => {
  const api = await startIssuer(t);
  await api.account('ann@example.org');

  t.test('a grant is given, used, renewed and revoked', async (t) => {
    const refused = await api.call('/v1/mcp/profile');
    t.equal(refused.status, 401);
    const challenge = refused.headers.get('www-authenticate')!;
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
    const resource = await (await fetch(metadata)).json();
    t.match(resource, { resource: `${api.base}/v1/mcp/sse`, authorization_servers: [api.base] });

    const { server, browser, tokens } = await granted(api, 'ann@example.org', ['memories.read']);
    t.match(
      tokens,
      { token_type: 'bearer', expires_in: 3600, scope: 'memories.read' },
      'fewer scopes than requested',
    );
    t.match(tokens.access_token, /^svc_oat_[\w-]{43}$/);
    t.match(tokens.refresh_token, /^svc_ort_[\w-]{64}$/);
    t.equal(await opens(api, tokens.access_token), 200);

    const renewed = await client.refreshTokenGrant(server, tokens.refresh_token!);
    t.not(renewed.refresh_token, tokens.refresh_token);
    t.equal(await opens(api, renewed.access_token), 200);

    const page = await browser.get('/account');
    t.match(page.text, 'Helper');
    const form =
      /action="(\/account\/grants\/[\w-]+\/revoke)"><input type="hidden" name="token" value="([\w-]+)"/.exec(
        page.text,
      )!;
    await browser.post(form[1]!, { token: form[2]! });
    t.equal(await opens(api, renewed.access_token), 401, 'refused with the next request');
    await refusedWith(t, client.refreshTokenGrant(server, renewed.refresh_token!), 'invalid_grant');
    t.match((await browser.get('/account')).text, 'No assistant has access');
  });

  t.test('a user denies a grant, or allows only requested scopes', async (t) => {
    const browser = new Browser(api.base);
    const begun = await beginWith(api.base);
    const consent = await browser.signIn(await browser.get(begun.address.href), 'ann@example.org');
    t.match(consent.text, 'helper.example');
    const none = await allow(browser, consent, []);
    t.equal(none.status, 400, 'no scope chosen');
    const foreign = await allow(browser, consent, ['people.read']);
    t.equal(foreign.status, 400, 'a scope that was not requested');
    const denied = await browser.post(`${new URL(consent.url).pathname}/deny`, {});
    await refusedWith(t, exchange(begun, denied), 'access_denied');
    const again = await browser.get((await beginWith(api.base)).address.href);
    t.match(again.text, 'Allow Helper?', 'a denied request asks again');
  });

  t.test('a repeated code ends the tokens of its first exchange', async (t) => {
    const { server, verifier, state, code, tokens } = await granted(api, 'ann@example.org');
    t.equal(await opens(api, tokens.access_token), 200);
    await refusedWith(
      t,
      client.authorizationCodeGrant(server, new URL(code.url), {
        pkceCodeVerifier: verifier,
        expectedState: state,
      }),
      'invalid_grant',
    );
    t.equal(await opens(api, tokens.access_token), 401);
    await refusedWith(t, client.refreshTokenGrant(server, tokens.refresh_token!), 'invalid_grant');
  });

  t.test('a repeated refresh token ends its grant, also for simultaneous requests', async (t) => {
    const first = await granted(api, 'ann@example.org');
    const second = await client.refreshTokenGrant(first.server, first.tokens.refresh_token!);
    await refusedWith(
      t,
      client.refreshTokenGrant(first.server, first.tokens.refresh_token!),
      'invalid_grant',
    );
    t.equal(await opens(api, second.access_token), 401);
    await refusedWith(t, client.refreshTokenGrant(first.server, second.refresh_token!), 'invalid_grant');

    const racing = await granted(api, 'ann@example.org');
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => client.refreshTokenGrant(racing.server, racing.tokens.refresh_token!)),
    );
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    t.ok(won.length <= 1, 'at most one request gets tokens');
    for (const { access_token } of won)
      t.equal(await opens(api, access_token), 401, 'these tokens are refused');
  });

  t.test('a refused renewal does not use up the refresh token', async (t) => {
    const { server, tokens } = await granted(api, 'ann@example.org');
    for (const [error, change] of Object.entries<Record<string, string>>({
      invalid_target: { resource: 'https://elsewhere.example/v1/mcp/sse' },
      invalid_scope: { scope: 'memories.read memories.write' },
      invalid_grant: { client_id: 'keeper', client_secret: 'keepers secret' },
    })) {
      const answer = await token(api, {
        grant_type: 'refresh_token',
        client_id: 'helper',
        refresh_token: tokens.refresh_token!,
        ...change,
      });
      t.match(answer, { status: 400, body: { error } });
    }
    const renewed = await client.refreshTokenGrant(server, tokens.refresh_token!);
    t.equal(await opens(api, renewed.access_token), 200);
  });

  t.test('errors of the authorization endpoint', async (t) => {
    const page = async (change: Record<string, string | undefined>): Promise<Page> => {
      const { address } = await beginWith(api.base);
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) address.searchParams.delete(name);
        else address.searchParams.set(name, value);
      }
      return new Browser(api.base).get(address.href);
    };
    for (const [name, change] of Object.entries({
      'an unknown client': { client_id: 'stranger' },
      'another host': { redirect_uri: 'https://evil.example/callback' },
      'a prefix alone': { redirect_uri: 'https://helper.example/connector/' },
      'a path that leaves the prefix': { redirect_uri: 'https://helper.example/connector/../x' },
      'an encoded path that leaves the prefix': { redirect_uri: 'https://helper.example/connector/%2e%2e/x' },
      'an encoded slash': { redirect_uri: 'https://helper.example/connector/a%2fb' },
      'a query': { redirect_uri: 'https://helper.example/connector/a?b=c' },
      'a fragment': { redirect_uri: 'https://helper.example/connector/a#b' },
      'a twice encoded path that leaves the prefix': {
        redirect_uri: 'https://helper.example/connector/%252e%252e/x',
      },
      'a broken encoding': { redirect_uri: 'https://helper.example/connector/%' },
      'bytes that are not UTF-8': { redirect_uri: 'https://helper.example/connector/%ff' },
      'a backslash': { redirect_uri: 'https://helper.example/connector/a\\b' },
      'two slashes': { redirect_uri: 'https://helper.example/connector//evil.example' },
      'a NUL in a parameter that is returned': { state: 'a\0b' },
      'a NUL in an ignored parameter': { login_hint: '\0' },
      'a long state': { state: 'x'.repeat(4096) },
      'a user name': { redirect_uri: 'https://helper.example@evil.example/connector/a' },
    })) {
      const answer = await page(change);
      t.equal(answer.status, 400, name);
      t.ok(answer.url.startsWith(api.base), `${name} is not redirected`);
    }
    t.match(
      await page({ redirect_uri: 'https://helper.example/connector/a1/b' }),
      { status: 200 },
      'an address below a prefix',
    );
    for (const [error, change] of Object.entries({
      invalid_target: { resource: 'https://elsewhere.example/v1/mcp/sse' },
      invalid_request: { code_challenge: undefined, code_challenge_method: undefined },
    })) {
      const { url } = await page(change);
      const query = new URL(url).searchParams;
      t.ok(url.startsWith(redirect), `${error} is reported to the client`);
      t.equal(query.get('error'), error);
      t.equal(query.get('iss'), api.base);
      t.ok(query.get('state'));
    }
    t.match((await page({ response_type: 'token' })).url, 'error=unsupported_response_type');
    t.match((await page({ response_mode: 'form_post' })).url, 'error=unsupported_response_mode');
    t.match((await page({ code_challenge_method: 'plain' })).url, 'error=invalid_request');
    const denied = await page({
      client_id: 'keeper',
      redirect_uri: 'https://keeper.example/callback',
      scope: 'goals.read',
    });
    t.match(denied.url, 'error=invalid_scope', 'no requested scope is allowed for this client');
  });

  t.test('errors of the token endpoint', async (t) => {
    const code = {
      grant_type: 'authorization_code',
      redirect_uri: redirect,
      code: 'x',
      code_verifier: 'v'.repeat(43),
    };
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    const cases: [
      name: string,
      fields: Record<string, string>,
      headers: Record<string, string>,
      status: number,
      error: string,
    ][] = [
      ['unknown client', { ...code, client_id: 'stranger' }, {}, 401, 'invalid_client'],
      [
        'a secret of a public client',
        { ...code, client_id: 'helper', client_secret: 'x' },
        {},
        401,
        'invalid_client',
      ],
      ['a blank secret', { ...code, client_id: 'helper', client_secret: '' }, {}, 400, 'invalid_grant'],
      ['a blank secret by Basic', code, basic('helper:'), 400, 'invalid_grant'],
      ['a wrong secret', { ...code, client_id: 'keeper', client_secret: 'x' }, {}, 401, 'invalid_client'],
      ['no secret', { ...code, client_id: 'keeper' }, {}, 401, 'invalid_client'],
      [
        'a blank secret of a client that has one',
        { ...code, client_id: 'keeper' },
        basic('keeper:'),
        401,
        'invalid_client',
      ],
      [
        'the right secret',
        { ...code, client_id: 'keeper', client_secret: 'keepers secret' },
        {},
        400,
        'invalid_grant',
      ],
      ['no verifier', { ...code, client_id: 'helper', code_verifier: '' }, {}, 400, 'invalid_request'],
      ['no code', { ...code, client_id: 'helper', code: '' }, {}, 400, 'invalid_request'],
      ['no refresh token', { grant_type: 'refresh_token', client_id: 'helper' }, {}, 400, 'invalid_request'],
      [
        'a bad refresh token',
        { grant_type: 'refresh_token', client_id: 'helper', refresh_token: 'x' },
        {},
        400,
        'invalid_grant',
      ],
      ['another grant', { grant_type: 'password', client_id: 'helper' }, {}, 400, 'unsupported_grant_type'],
    ];
    for (const [name, fields, headers, status, error] of cases) {
      const answer = await token(api, fields, headers);
      t.equal(answer.status, status, name);
      t.equal(answer.body.error, error, name);
      t.equal(answer.headers.get('cache-control'), 'no-store', name);
    }
    const json = await api.call('/token', { body: { ...code, client_id: 'helper' } });
    t.match(json, { status: 400, body: { error: 'invalid_grant' } }, 'JSON is accepted');
    const broken = await api.call('/token', { body: '[1]' });
    t.match(broken, { status: 400, body: { error: 'invalid_request' } });
    const long = await token(api, { ...code, client_id: 'helper', code: 'x'.repeat(20_000) });
    t.equal(long.status, 413);
  });

  t.test('a code needs its own client, redirect, verifier and resource', async (t) => {
    const variants: [string, Record<string, string>, string][] = [
      ['another verifier', { code_verifier: 'v'.repeat(43) }, 'invalid_grant'],
      ['another redirect', { redirect_uri: 'https://helper.example/connector/b' }, 'invalid_grant'],
      ['another client', { client_id: 'keeper', client_secret: 'keepers secret' }, 'invalid_grant'],
      ['another resource', { resource: 'https://elsewhere.example/' }, 'invalid_target'],
    ];
    for (const [name, change, error] of variants) {
      const browser = new Browser(api.base);
      const begun = await beginWith(api.base);
      const consent = await browser.signIn(await browser.get(begun.address.href), 'ann@example.org');
      const at = await allow(browser, consent, ['memories.read', 'goals.read']);
      const answer = await token(api, {
        grant_type: 'authorization_code',
        client_id: 'helper',
        redirect_uri: redirect,
        code: new URL(at.url).searchParams.get('code')!,
        code_verifier: begun.verifier,
        ...change,
      });
      t.match(answer, { status: 400, body: { error } }, name);
    }
  });

  t.test('a verifier has 43 to 128 characters', async (t) => {
    const browser = new Browser(api.base);
    for (const [length, status] of [
      [42, 400],
      [43, 200],
      [128, 200],
      [129, 400],
    ] as const) {
      const code_verifier = 'v'.repeat(length);
      const { address } = await beginWith(api.base, {
        code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
      });
      const at = await browser.get(address.href);
      const consent = at.text.includes('/sign-in') ? await browser.signIn(at, 'ann@example.org') : at;
      const { url } = await allow(browser, consent, ['memories.read', 'goals.read']);
      const answer = await token(api, {
        grant_type: 'authorization_code',
        client_id: 'helper',
        redirect_uri: redirect,
        code: new URL(url).searchParams.get('code')!,
        code_verifier,
      });
      t.equal(answer.status, status, `${length} characters`);
    }
  });

  t.test('a client revokes its own tokens and no others', async (t) => {
    const { server, tokens } = await granted(api, 'ann@example.org');
    const metadata = server.serverMetadata();
    t.equal(metadata.revocation_endpoint, `${api.base}/token/revoke`);
    const giveBack = async (fields: Record<string, string>): Promise<number> =>
      (await fetch(metadata.revocation_endpoint!, { method: 'POST', body: new URLSearchParams(fields) }))
        .status;
    const own = { token: tokens.refresh_token!, client_id: 'helper' };
    await giveBack({ ...own, client_id: 'keeper', client_secret: 'keepers secret' });
    t.equal(await giveBack({ ...own, client_id: 'keeper' }), 401, 'without its secret');
    t.equal(await opens(api, tokens.access_token), 200);
    t.equal(await giveBack({ ...own, token: 'unknown' }), 200, 'an unknown token is not revealed');
    t.equal(await giveBack(own), 200);
    t.equal(await opens(api, tokens.access_token), 401);
  });

  t.test("a user sees and revokes only the user's own grants", async (t) => {
    const { tokens } = await granted(api, 'ann@example.org');
    const [{ uid }] = await api.sql<[{ uid: string }]>`select uid from accounts`;
    const own = await issueIdToken(api.sql, api.settings, uid);
    const { token: foreign } = await api.person();
    const list = '/v1/mcp/oauth/grants';
    const { body } = await api.call(list, { credential: own });
    t.match(body.grants, [
      { client_id: 'helper', client_name: 'Helper', scopes: ['goals.read', 'memories.read'] },
    ]);
    t.ok(body.grants[0].last_used_at === null || Date.parse(body.grants[0].last_used_at));
    t.same((await api.call(list, { credential: foreign })).body, { grants: [] });
    const grant = `${list}/${body.grants[0].id}`;
    t.equal((await api.call(grant, { method: 'DELETE', credential: foreign })).status, 204);
    t.equal(await opens(api, tokens.access_token), 200, 'the grant remains');
    t.equal((await api.call(grant, { method: 'DELETE', credential: own })).status, 204);
    t.equal(await opens(api, tokens.access_token), 401);
  });

  t.test("requests with an access token count against its user's rate limit", async (t) => {
    const { tokens } = await granted(api, 'ann@example.org');
    const [{ uid }] = await api.sql<[{ uid: string }]>`select uid from accounts`;
    await api.sql`delete from rate_windows`;
    t.equal(await opens(api, tokens.access_token), 200);
    const counted = await api.sql`select subject, used from rate_windows where policy like 'mcp:%'`;
    t.same([...counted], [{ subject: uid, used: 1 }]);
    await api.sql`update rate_windows set used = 2147483000 where subject = ${uid}`;
    const full = await api.call('/v1/mcp/profile', { credential: tokens.access_token });
    t.equal(full.status, 429);
    t.ok(Number(full.headers.get('retry-after')) >= 1);
    await api.sql`delete from rate_windows`;
  });

  t.test('the database contains no code, token or cookie', async (t) => {
    const { tokens, browser, code } = await granted(api, 'ann@example.org');
    const rows = await api.sql<{ text: string }[]>`select r::text as text from issuer_records r`;
    const stored = rows.map(({ text }) => text).join('\n');
    const secrets = [
      tokens.access_token,
      tokens.refresh_token!,
      new URL(code.url).searchParams.get('code')!,
      ...[...browser.cookies.values()].map(({ value }) => value),
    ];
    t.ok(secrets.length >= 4);
    for (const secret of secrets) t.notOk(stored.includes(secret));
  });
});
