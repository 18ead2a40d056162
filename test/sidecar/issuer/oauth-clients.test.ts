/**
 * Tests assistants on a user's own computer, from the authorization request to tokens, and the requests that they send
 * in practice.
 */
import * as client from 'openid-client';
import t, { type Test } from 'tap';
import { oauthPresets } from '../../../src/config/lists/oauth-presets.js';
import { scopesOf } from '../../../src/identity/scopes.js';
import { beginWith } from './grant-support.js';
import { assistants, Browser, type Page, type SignInApi, startIssuer } from './sign-in-support.js';

const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback';
const local = {
  id: 'local',
  name: 'Local',
  redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback', 'http://[::1]/callback'],
};

/** Consents to `scopes`, or to the scopes that the page has ticked. Returns the redirect to the client. */
const consent = (browser: Browser, at: Page, scopes?: readonly string[]): Promise<Page> => {
  const ticked = [...at.text.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, scope]) => scope!);
  const fields = (scopes ?? ticked).map((scope): [string, string] => ['scope', scope]);
  return browser.post(`${new URL(at.url).pathname}/consent`, new URLSearchParams(fields));
};

t.test("an assistant on its user's computer", async (t: Test) => {
  const api: SignInApi = await startIssuer(t, {
    OAUTH_CLIENTS: JSON.stringify([...assistants, local]),
    OAUTH_PRESETS: 'cursor, vscode,codex',
  });
  await api.account('ann@example.org');
  const browser = new Browser(api.base);
  const begin = async (id: string, redirect_uri: string, more: Record<string, string> = {}) => {
    const begun = await beginWith(api.base, { redirect_uri, ...more }, id);
    return { ...begun, redirect_uri };
  };
  const open = (address: URL): Promise<Page> => browser.get(address.href);
  const first = await begin('local', 'http://127.0.0.1:5123/callback');
  await browser.signIn(await open(first.address), 'ann@example.org');

  await t.test(
    'every authorization asks for consent, because another program could use the same redirect',
    async (t) => {
      for (const [id, redirect, shown, policy] of [
        ['local', 'http://127.0.0.1:5123/callback', '127.0.0.1:5123', 'http://127.0.0.1:5123'],
        ['local', 'http://localhost:5124/callback', 'localhost:5124', 'http://localhost:5124'],
        ['local', 'http://[::1]:5125/callback', '[::1]:5125', 'http:'],
        ['cursor', cursor, 'cursor:', 'cursor:'],
        ['vscode', 'http://127.0.0.1:33418/', '127.0.0.1:33418', 'http://127.0.0.1:33418'],
        ['codex', 'http://127.0.0.1:1455/callback/9bXk2', '127.0.0.1:1455', 'http://127.0.0.1:1455'],
      ] as const) {
        for (const time of ['first', 'second']) {
          const begun = await begin(id, redirect);
          const page = await open(begun.address);
          t.equal(page.status, 200, `${redirect}, ${time} time`);
          t.ok(page.text.includes(`a program on this computer, <strong>${shown}</strong>`), shown);
          t.match(page.text, 'Allow it only if you have just started it yourself');
          t.ok(
            page.headers.get('content-security-policy')!.includes(`form-action 'self' ${policy};`),
            "browsers follow the form's redirect",
          );
          const { url } = await consent(browser, page);
          t.ok(url.startsWith(`${redirect}?`), url);
          const tokens = await client.authorizationCodeGrant(begun.server, new URL(url), {
            pkceCodeVerifier: begun.verifier,
            expectedState: begun.state,
          });
          t.equal(tokens.scope, 'memories.read goals.read');
        }
        const silent = await open((await begin(id, redirect, { prompt: 'none' })).address);
        t.match(silent.url, 'error=interaction_required', 'consent cannot be skipped');
      }
    },
  );

  await t.test('refuses unregistered redirects without redirecting', async (t) => {
    for (const [id, redirect] of [
      ['local', 'http://127.0.0.1:5123/other'],
      ['local', 'http://127.0.0.1.evil.example:5123/callback'],
      ['local', 'https://127.0.0.1:5123/callback'],
      ['local', cursor],
      ['cursor', `${cursor}/x`],
      ['cursor', 'cursor://evil/oauth/callback'],
      ['cursor', 'javascript:/oauth/callback'],
      ['codex', 'http://127.0.0.1:1455/callback/../x'],
      ['claude', 'https://claude.ai/api/mcp/auth_callback'],
    ] as const) {
      const page = await open((await begin(id, redirect)).address);
      t.equal(page.status, 400, redirect);
      t.ok(page.url.startsWith(api.base), redirect);
    }
  });

  await t.test('ignores unknown scopes and extra blanks', async (t) => {
    const all = scopesOf.mcp;
    for (const [scope, expected] of [
      ['openid offline_access memories.read', ['memories.read']],
      ['  memories.read\t memories.read  goals.read ', ['memories.read', 'goals.read']],
      ['memories.write mcp:tools profile', ['memories.write']],
      ['openid offline_access', all],
      ['everything', all],
      ['', all],
      [' ', all],
    ] as const) {
      const begun = await begin('local', 'http://127.0.0.1:5123/callback', { scope });
      const page = await open(begun.address);
      const ticked = [...page.text.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, one]) => one);
      t.same(ticked, expected, JSON.stringify(scope));
      t.match(page.text, 'It gets the ticked permissions, including changes to your data.');
      const { url } = await consent(browser, page);
      const tokens = await client.authorizationCodeGrant(begun.server, new URL(url), {
        pkceCodeVerifier: begun.verifier,
        expectedState: begun.state,
      });
      t.same(tokens.scope?.split(' '), expected, 'the answer names the granted scopes');
      t.notOk(tokens.id_token, 'an assistant gets no ID token');
      const renewed = await client.refreshTokenGrant(begun.server, tokens.refresh_token!, {
        scope: `openid ${expected[0]}  offline_access`,
      });
      t.equal(renewed.scope, expected[0], 'the same after a renewal');
    }
  });

  await t.test('accepts the resource with a final slash, as the origin, or twice', async (t) => {
    const base = api.base;
    for (const resource of [
      `${base}/v1/mcp/sse/`,
      `${base}/v1/mcp/`,
      `${base}/v1/mcp`,
      base,
      `${base}/`,
      '',
    ]) {
      const begun = await begin('local', 'http://127.0.0.1:5123/callback', { resource });
      begun.address.searchParams.append('resource', `${base}/v1/mcp/sse`);
      const { url } = await consent(browser, await open(begun.address));
      const tokens = await client.authorizationCodeGrant(
        begun.server,
        new URL(url),
        { pkceCodeVerifier: begun.verifier, expectedState: begun.state },
        { resource },
      );
      const renewed = await client.refreshTokenGrant(begun.server, tokens.refresh_token!, { resource });
      const profile = await api.call('/v1/mcp/profile', { credential: renewed.access_token });
      t.equal(profile.status, 200, resource);
    }
    const others = [
      `${base}.evil.example/`,
      `${base}/v1/mcp/sse//`,
      `${base}/v1`,
      `${base}/V1/MCP`,
      `${base}/?x`,
    ];
    const disguised = [
      `${base}@evil.example/v1/mcp`,
      base.replace('//', '//user@'),
      `${base}#x`,
      'x',
      'urn:x:y',
    ];
    for (const resource of [
      ...others,
      ...disguised,
      base.replace(/\d+$/, '1'),
      base.replace('http', 'https'),
    ]) {
      const begun = await begin('local', 'http://127.0.0.1:5123/callback', { resource });
      const { url } = await open(begun.address);
      t.match(url, /^http:\/\/127\.0\.0\.1:5123\/callback\?error=invalid_target/, resource);
    }
  });

  await t.test('ignores unknown prompts', async (t) => {
    for (const prompt of ['consent', 'select_account', 'select_account consent', ' consent ', '']) {
      const page = await open((await begin('local', 'http://127.0.0.1:5123/callback', { prompt })).address);
      t.match(page.text, 'Allow Local?', JSON.stringify(prompt));
    }
    const again = await open((await begin('local', first.redirect_uri, { prompt: 'login' })).address);
    t.match(again.text, '/sign-in');
  });
});

t.test(
  'presets are enabled by name, and a client of the operator replaces the preset with its id',
  async (t) => {
    const status = async (api: SignInApi, id: string, redirect_uri: string): Promise<number> => {
      const { address } = await beginWith(api.base, { redirect_uri }, id);
      return (await new Browser(api.base).get(address.href)).status;
    };
    const [redirect] = oauthPresets['claude-code'].redirect_uris;
    const off = await startIssuer(t);
    t.equal(await status(off, 'claude-code', redirect!), 400);
    const own = [{ id: 'zed', name: 'Ours', redirect_uris: ['https://zed.example/callback'] }];
    const on = await startIssuer(t, {
      OAUTH_PRESETS: Object.keys(oauthPresets).join(','),
      OAUTH_CLIENTS: JSON.stringify(own),
    });
    for (const [id, { redirect_uris, redirect_prefixes }] of Object.entries(oauthPresets)) {
      if (id === 'zed') continue;
      for (const address of [...redirect_uris, ...redirect_prefixes.map((prefix) => `${prefix}a1`)])
        t.equal(await status(on, id, address), 200, `${id} ${address}`);
    }
    t.equal(await status(on, 'zed', 'https://zed.example/callback'), 200);
    t.equal(
      await status(on, 'zed', 'http://127.0.0.1:5/callback'),
      400,
      "the operator's client has only its own redirects",
    );
    await t.rejects(startIssuer(t, { OAUTH_PRESETS: 'claude,unknown' }), { code: 'setting_invalid' });
  },
);
