/** Tests which web pages may open a socket. */
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { originCheck } from '../../../src/front/clients/origins.js';
import { startRig } from '../support.js';

const host = 'engine.example:8787';
const asked = (settings: Partial<Settings>, origin: string, asks = host): boolean => {
  const check = originCheck({ ...loadSettings({}).values, ...settings });
  const headers: Record<string, string> = { origin, host: asks };
  return check({ getHeader: (name) => headers[String(name)] ?? '' }) === null;
};

const cases: [title: string, settings: Partial<Settings>, origin: string, host: string, allowed: boolean][] =
  [
    ['a program sends none', {}, '', host, true],
    ['the address that was asked', {}, 'http://engine.example:8787', host, true],
    ['its name in capitals', {}, 'http://ENGINE.example:8787', host, true],
    ['behind TLS, port left out', {}, 'https://engine.example', 'engine.example:443', true],
    ['behind TLS, port written', {}, 'https://engine.example:443', 'engine.example', true],
    ['another port of it', {}, 'http://engine.example:9999', host, false],
    ['another host', {}, 'https://evil.example', host, false],
    ['a longer host', {}, 'https://engine.example.evil.example', host, false],
    ['an opaque origin', {}, 'null', host, false],
    ['a file', {}, 'file://', host, false],
    ['no origin at all', {}, '://', host, false],
    ['an address with a path', {}, 'https://evil.example/engine.example:8787', host, false],
    ['an address with a user', {}, 'https://engine.example:8787@evil.example', host, false],
    ['endless', {}, `https://${'a'.repeat(5000)}.example`, host, false],
    ['PUBLIC_URL', { publicUrl: 'https://api.example/base/' }, 'https://api.example', host, true],
    ['PUBLIC_URL without TLS', { publicUrl: 'https://api.example' }, 'http://api.example', host, false],
    ['listed', { allowedOrigins: ['https://app.example'] }, 'https://app.example', host, true],
    ['listed with a slash', { allowedOrigins: ['https://app.example/'] }, 'https://app.example', host, true],
    ['listed, other scheme', { allowedOrigins: ['https://app.example'] }, 'http://app.example', host, false],
    ['listed, below it', { allowedOrigins: ['https://app.example'] }, 'https://a.app.example', host, false],
    ['an extension', { allowedOrigins: ['chrome-extension://abc'] }, 'chrome-extension://abc', host, true],
    [
      'another extension',
      { allowedOrigins: ['chrome-extension://abc'] },
      'chrome-extension://abd',
      host,
      false,
    ],
    ['every page', { allowedOrigins: ['*'] }, 'https://evil.example', host, true],
    ['null listed', { allowedOrigins: ['null'] }, 'null', host, true],
  ];
for (const [title, settings, origin, asks, allowed] of cases) {
  t.equal(asked(settings, origin, asks), allowed, title);
}

t.test('both routes check the origin before the token', async (t) => {
  const { connect, shards, origin: own } = await startRig(t);
  for (const route of ['/v4/listen', '/v4/web/listen']) {
    const headers = { Origin: 'https://evil.example' };
    t.match(await connect('', { route, headers, token: 'forged' }).outcome, { status: 403, body: /origin/ });
    await connect('', { route, headers: { Origin: `http://${own}` } }).open();
  }
  t.equal(shards[0]!.seen.filter(({ kind }) => kind === 1).length <= 1, true);
});

t.test('refuses "*" as an origin with AUTH_MODE=uid', async (t) => {
  t.throws(() => loadSettings({ AUTH_MODE: 'uid', ALLOWED_ORIGINS: '*' }), {
    code: 'setting_invalid',
    details: { name: 'ALLOWED_ORIGINS' },
  });
  t.throws(() => loadSettings({ ID_TOKEN_JWKS: 'https://issuer.example/keys' }), {
    code: 'setting_invalid',
    details: { name: 'ID_TOKEN_ISSUER' },
  });
});
