/**
 * Redirects of assistants: addresses that an operator can register, and the redirects that a registered address
 * permits.
 */
import fc from 'fast-check';
import t from 'tap';
import { parseOauthClients } from '../../src/config/lists/oauth-clients.js';
import { loopbackAddress, privateScheme } from '../../src/config/lists/redirect-addresses.js';
import { redirectAllowed } from '../../src/issuer/redirects.js';

const registers = (uris: readonly string[], prefixes: readonly string[] = []): boolean => {
  try {
    parseOauthClients(
      JSON.stringify([{ id: 'a', name: 'A', redirect_uris: uris, redirect_prefixes: prefixes }]),
    );
    return true;
  } catch {
    return false;
  }
};

t.test('what can be registered', async (t) => {
  for (const address of [
    'https://helper.example/callback',
    'http://127.0.0.1/callback',
    'http://localhost:3334/oauth/callback',
    'http://[::1]/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/callback',
    'vscode://publisher.extension/did-authenticate?x=1',
  ])
    t.ok(registers([address]), address);
  for (const address of [
    ...['javascript:/alert(1)', 'javascript://x/%0aalert(1)', 'data:/text/html,x', 'file:///etc/passwd'],
    ...['blob:/x', 'about:/blank', 'vbscript:/x', 'view-source:/x', 'filesystem:/x', 'intent://x/y'],
    ...['chrome://settings/x', 'chrome-extension://abc/x', 'moz-extension://abc/x', 'ws://h/x', 'wss://h/x'],
    ...['ftp://h/x', 'mailto:/x', 'urn:ietf:wg:oauth:2.0:oob', 'httpx://h/x', 'https+app://h/x'],
    ...['http://helper.example/callback', 'http://127.0.0.1.evil.example/', 'http://localhost@evil.example/'],
    ...['JavaScript:/x', 'Cursor://host/path', 'cursor:opaque', 'cursor:', 'cursor', '//host/path', ''],
    ...[
      'cursor://user@host/x',
      'cursor://host/x#y',
      'cursor://host/x y',
      'cursor://host/x;y',
      "cursor://host/'",
    ],
    ...['cursor://host/\\x', 'cursor://host/a/../b', 'java\tscript:/x', ' javascript:/x', 'x\0y://host/z'],
  ])
    t.notOk(registers([address]), JSON.stringify(address));
  t.notOk(registers(['https://localhost/a', 'cursor://host/a']), 'the provider takes no such pair');
  t.ok(registers([], ['http://127.0.0.1/callback/']));
  for (const prefix of ['cursor://host/', 'http://127.0.0.1/a', 'http://127.0.0.1/a?b/', 'http://h.example/'])
    t.notOk(registers([], [prefix]), prefix);
});

const local = {
  redirect_uris: [
    'http://127.0.0.1/callback',
    'http://localhost:3334/oauth/callback',
    'http://[::1]',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://helper.example:8443/callback',
  ],
  redirect_prefixes: ['http://127.0.0.1:1455/callback/'],
};

t.test('a registered address on loopback matches on any port, every other one exactly', async (t) => {
  for (const given of [
    'http://127.0.0.1:51234/callback',
    'http://127.0.0.1/callback',
    'http://localhost/oauth/callback',
    'http://localhost:65535/oauth/callback',
    'http://[::1]:9/',
    'http://[::1]:9',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://helper.example:8443/callback',
    'http://127.0.0.1:7/callback/a1-_b',
  ])
    t.ok(redirectAllowed(local, given), given);
  for (const given of [
    ...[
      'http://localhost:51234/callback',
      'http://127.0.0.1:51234/oauth/callback',
      'http://127.0.0.2/callback',
    ],
    ...['https://127.0.0.1:5/callback', 'http://127.0.0.1:5/callback?x=1', 'http://127.0.0.1:5/callback#x'],
    ...['http://127.0.0.1:5/Callback', 'http://127.0.0.1:5/callback/', 'http://127.0.0.1:5//callback'],
    ...['http://127.0.0.1:5@evil.example/callback', 'http://127.0.0.1:@evil.example/callback'],
    ...['http://127.0.0.1\\@evil.example/callback', 'http://127.0.0.1:5\\.evil.example/callback'],
    ...['http://user@127.0.0.1:5/callback', 'http://127.0.0.1:65536/callback', 'http://127.0.0.1:0/callback'],
    ...['http://127.0.0.1:05/callback', 'http://127.0.0.1:/callback', 'http://127.0.0.1.:5/callback'],
    ...['http://127.1:5/callback', 'http://2130706433/callback', 'http://LOCALHOST:5/oauth/callback'],
    ...[
      'http://localhost.evil.example:5/oauth/callback',
      'http://127.0.0.1:5/x/../callback',
      'HTTP://127.0.0.1/callback',
    ],
    ...[
      'http://127.0.0.1:5/%63allback',
      'http:/127.0.0.1/callback',
      'http:127.0.0.1/callback',
      ' http://127.0.0.1/callback',
    ],
    ...['cursor://anysphere.cursor-mcp/oauth/callback/', 'cursor://anysphere.cursor-mcp:5/oauth/callback'],
    ...['Cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp/oauth/callback?x'],
    ...[
      'https://helper.example/callback',
      'https://helper.example:5/callback',
      'http://helper.example:8443/callback',
    ],
    ...[
      'http://127.0.0.1:7/callback/../x',
      'http://127.0.0.1:7/callback/a?b',
      'http://localhost:7/callback/a',
    ],
    ...[
      'http://127.0.0.1:7/callback/%2e%2e/x',
      'http://127.0.0.1:7/callback//x',
      'http://127.0.0.1:7/callback/a\\b',
    ],
  ])
    t.notOk(redirectAllowed(local, given), given);
});

t.test('whatever is allowed leads to a registered place, as a browser reads it', async () => {
  const pieces = [
    'http://',
    'https://',
    '127.0.0.1',
    'localhost',
    '[::1]',
    ':',
    '8080',
    '/callback',
    '/oauth',
    '/',
    '@',
    '\\',
  ];
  const more = ['?', '#', '.', '..', '%2f', 'evil.example', 'cursor:', 'javascript:', '\t', ' ', 'a'];
  const made = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 8 }).map((parts) => parts.join(''));
  const places = [...local.redirect_uris, ...local.redirect_prefixes].map((address) => new URL(address));
  fc.assert(
    fc.property(fc.oneof(made, fc.string(), fc.webUrl()), (given) => {
      if (!redirectAllowed(local, given)) return;
      const { protocol, hostname, username, hash, pathname } = new URL(given);
      const isRegistered = places.some(
        (place) =>
          place.protocol === protocol && place.hostname === hostname && pathname.startsWith(place.pathname),
      );
      if (!isRegistered || username !== '' || hash !== '') throw new Error(given);
    }),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.oneof(made, fc.string()), (given) => {
      const scheme = privateScheme(given);
      if (scheme !== null && new URL(given).protocol !== `${scheme}:`) throw new Error(given);
      const found = loopbackAddress(given);
      if (found !== null && new URL(given).hostname !== found.host) throw new Error(given);
    }),
    { numRuns: 3000 },
  );
});
