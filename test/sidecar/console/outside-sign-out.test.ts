/** Tests a sign-out that begins at the console and continues at the operator's own issuer. */
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { OutsideIssuer } from '../../../src/issuer/outside-issuer.js';
import { Browser, type Page } from '../issuer/sign-in-support.js';
import { type Api, consoleHeaders, consoleSession, startApi } from '../support.js';
import { type SignerOptions, sessionOf, startConsole, startSigner } from './outside-support.js';

const leavingCookie = 'cochlea_console_sign_out';

/** Signs a browser out as a page of the console does, and keeps the cookies of the answer. */
const signOut = async ({ api, browser }: { api: Api; browser: Browser }) => {
  const answer = await api.call('/console/api/sign-out', {
    method: 'POST',
    headers: consoleHeaders(api, sessionOf(browser)),
  });
  const cookies = answer.headers.getSetCookie();
  for (const line of cookies) browser.keep(line, new URL(api.base));
  return { status: answer.status, to: answer.body.continue_at as string | null, cookies };
};

/** Confirms the sign-out at the issuer. @returns the address to which the issuer then redirects the browser. */
const confirmed = async (there: Browser, to: string): Promise<string> => {
  const form = await there.get(to);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)![1]!;
  return (await there.post('/session/end/confirm', { xsrf, logout: 'yes' })).url;
};

const signedOut = { status: 200, text: /<h1>Signed out/ };

t.test('a sign-out at the console goes on at the issuer', async (t) => {
  const { api, issuer, signIn, me } = await startConsole(t);
  const { base } = api;
  const atConsole = { status: 200, url: `${base}/console` };
  const leave = async (name: string) => {
    const [browser, there] = [new Browser(base), new Browser(issuer.issuer)];
    await signIn(name, browser, there);
    const cookie = sessionOf(browser);
    const left = await signOut({ api, browser });
    return { browser, there, cookie, ...left, to: new URL(left.to!) };
  };

  await t.test('the session ends first, then the sign-in', async (t) => {
    const { browser, there, cookie, cookies, status, to } = await leave('ann');
    t.equal(status, 200);
    t.equal(to.origin, issuer.issuer);
    t.same(
      [...to.searchParams.keys()].sort(),
      ['client_id', 'post_logout_redirect_uri', 'state'],
      'no ID token is sent',
    );
    t.equal(to.searchParams.get('client_id'), 'cochlea');
    t.equal(to.searchParams.get('post_logout_redirect_uri'), `${base}/console/signed-out`);
    t.match(to.searchParams.get('state'), /^[\w-]{43}$/);
    t.notOk(sessionOf(browser));
    const stale = new Browser(base);
    stale.keep(`cochlea_console=${cookie}; Path=/`, new URL(base));
    t.equal((await me(stale)).status, 401, 'before the browser is at the issuer');
    t.equal(cookies.length, 2);
    t.match(cookies[1], /; Max-Age=600; HttpOnly; SameSite=Lax$/, 'the state lives for ten minutes');

    const back = await confirmed(there, to.href);
    const page = await browser.get(back);
    t.match(page, signedOut);
    t.match(page.headers.get('cache-control'), 'no-store');
    t.match(page.headers.get('content-security-policy'), "default-src 'none'");
    const again = await there.get((await browser.get('/console/sign-in')).url);
    t.match(again.text, 'name="login"', 'the issuer asks who signs in');
  });

  await t.test('a state works once, in its own browser, and only the newest', async (t) => {
    const { browser, there, to } = await leave('ben');
    const back = await confirmed(there, to.href);
    t.match(await new Browser(base).get(back), atConsole, 'another browser');
    t.match(await browser.get(back), signedOut);
    t.match(await browser.get(back), atConsole, 'again');

    await signIn('ben', browser);
    const first = (await signOut({ api, browser })).to!;
    await signIn('ben', browser);
    const second = (await signOut({ api, browser })).to!;
    const stateOf = (address: string): string => new URL(address).searchParams.get('state')!;
    t.not(stateOf(first), stateOf(second));
    const returned = (state: string): Promise<Page> => browser.get(`/console/signed-out?state=${state}`);
    t.match(await returned(stateOf(first)), atConsole, 'a state that a later sign-out replaced');
    t.match(await returned(stateOf(second)), signedOut);
  });

  await t.test('a wrong or missing state is no error, and keeps the right one', async (t) => {
    const { browser, to } = await leave('cy');
    const state = to.searchParams.get('state')!;
    for (const query of [
      '',
      '?state=',
      `?state=${'A'.repeat(43)}`,
      `?state=${state}&state=${state}`,
      `?state=${state}A`,
      `?state=${'é'.repeat(900)}`,
      '?state=%00',
      '?error=access_denied',
    ])
      t.match(await browser.get(`/console/signed-out${query}`), atConsole, query.slice(0, 60));
    t.match(await browser.get(`/console/signed-out?state=${state}`), signedOut);
  });

  await t.test('a browser that has signed in again is not told that it is signed out', async (t) => {
    const { browser, there, to } = await leave('dee');
    const back = await confirmed(there, to.href);
    await signIn('dee', browser);
    t.match(await browser.get(back), atConsole);
    t.notOk(browser.cookies.has(`${leavingCookie}@/`));
    t.equal((await me(browser)).status, 200);
  });
});

t.test('an issuer that does not answer does not prevent the sign-out', async (t) => {
  const api = await startApi(t, {
    ID_TOKEN_ISSUER: `http://127.0.0.1:${await freePort()}`,
    CONSOLE_CLIENT_ID: 'cochlea',
  });
  const { uid } = await api.person();
  const headers = consoleHeaders(api, await consoleSession(api.sql, uid));
  const left = await api.call('/console/api/sign-out', { method: 'POST', headers });
  t.match(left, { status: 200, body: { continue_at: null } });
  t.equal(left.headers.getSetCookie().length, 1);
  t.equal((await api.call('/console/api/me', { headers })).status, 401);
});

t.test('without a client of the console, there is no way back from an issuer', async (t) => {
  const api = await startApi(t, { ID_TOKEN_ISSUER: 'https://issuer.example' });
  t.equal((await api.call('/console/signed-out')).status, 404);
});

/** Starts an issuer and its client. `told` collects the client's warnings. */
const startClient = async (t: Test, options: SignerOptions) => {
  const { issuer } = await startSigner(t, options);
  const { values } = loadSettings({ ID_TOKEN_ISSUER: issuer, CONSOLE_CLIENT_ID: 'console' });
  const told: string[] = [];
  const warn = (fields: unknown, text?: string): unknown => told.push(text ?? (fields as string));
  const client = new OutsideIssuer(values, { warn } as never);
  return { issuer, told, ended: () => client.signOutAddress('https://here.example/back', 'the state') };
};

t.test('only safe addresses of the issuer are used', async (t) => {
  const asked =
    '&post_logout_redirect_uri=https%3A%2F%2Fhere.example%2Fback&state=the+state&client_id=console';
  for (const [name, metadata, expected] of [
    ['no address', () => ({}), null],
    [
      'on this machine',
      (own) => ({ end_session_endpoint: `${own}/end?a=b` }),
      (own) => `${own}/end?a=b${asked}`,
    ],
    [
      'where people sign in',
      () => ({
        authorization_endpoint: 'https://login.example/in',
        end_session_endpoint: 'https://login.example/out?a=b',
      }),
      () => `https://login.example/out?a=b${asked}`,
    ],
    ['foreign', () => ({ end_session_endpoint: 'https://elsewhere.example/out' }), 'unsafe'],
    [
      'another port',
      () => ({
        authorization_endpoint: 'https://login.example/in',
        end_session_endpoint: 'https://login.example:8443/out',
      }),
      'unsafe',
    ],
    [
      'http',
      () => ({
        authorization_endpoint: 'http://login.example/in',
        end_session_endpoint: 'http://login.example/out',
      }),
      'unsafe',
    ],
    [
      'a password',
      (own) => ({ end_session_endpoint: `${own.replace('//', '//name:secret@')}/end` }),
      'unsafe',
    ],
    ['a script', () => ({ end_session_endpoint: 'javascript:alert(1)' }), 'unsafe'],
    ['no web address', () => ({ end_session_endpoint: '/end' }), 'unsafe'],
    ['no text', () => ({ end_session_endpoint: ['https://login.example/out'] }), 'unsafe'],
    ['too long', (own) => ({ end_session_endpoint: `${own}/${'x'.repeat(2000)}` }), 'unsafe'],
  ] as const satisfies readonly (readonly [
    string,
    NonNullable<SignerOptions['metadata']>,
    null | 'unsafe' | ((own: string) => string),
  ])[]) {
    const { issuer, told, ended } = await startClient(t, { metadata });
    const address = typeof expected === 'function' ? expected(issuer) : null;
    for (let times = 0; times < 2; times++) t.equal(await ended(), address, name);
    t.equal(told.length, expected === 'unsafe' ? 1 : 0, `${name}: the log says once why it is not used`);
    t.notMatch(told.join(), /login|elsewhere|secret/, name);
  }
});

const failure = 'sign-out at ID_TOKEN_ISSUER failed; the session here has ended';

t.test('an issuer that did not answer is asked again at the next sign-out', async (t) => {
  const fates: ('break' | 'answer')[] = ['break', 'break', 'answer'];
  const { issuer, told, ended } = await startClient(t, {
    metadata: (own) => ({ end_session_endpoint: `${own}/end` }),
    onDiscovery: () => fates.shift()!,
  });
  t.equal(await ended(), null);
  t.equal(await ended(), null);
  t.same(told, [failure, failure]);
  t.match(await ended(), `${issuer}/end?`);
});

t.test('a silent issuer is waited for three seconds', async (t) => {
  let arrived = (): void => undefined;
  const asked = new Promise<void>((done) => {
    arrived = done;
  });
  const { told, ended } = await startClient(t, {
    onDiscovery: () => {
      arrived();
      return 'silence';
    },
  });
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  let isOver = false;
  const address = ended().finally(() => {
    isOver = true;
  });
  await asked;
  mock.timers.tick(2999);
  await new Promise(setImmediate);
  t.equal(isOver, false);
  mock.timers.tick(1);
  t.equal(await address, null);
  t.same(told, [failure]);
});

t.test('an answer that never ends is not read to its end', async (t) => {
  const { told, ended } = await startClient(t, { onDiscovery: () => 'endless' });
  const began = performance.now();
  t.equal(await ended(), null);
  t.same(told, [failure]);
  t.ok(performance.now() - began < 3000, 'its length decides, not the time');
});
