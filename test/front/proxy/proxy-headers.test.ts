import t from 'tap';
import type { HttpRequest } from '../../../src/front/listener/listener.js';
import { answeredHeaders, forwardedRequest } from '../../../src/front/proxy/proxy-headers.js';

/** Returns a request as the listener sees it, with the parts that `forwardedRequest` reads. */
const requestOf = (headers: [string, string][], url = '/v1/x', query = ''): HttpRequest =>
  ({
    forEach: (visit: (name: string, value: string) => void) => {
      for (const [name, value] of headers) visit(name, value);
    },
    getMethod: () => 'post',
    getUrl: () => url,
    getQuery: () => query,
  }) as unknown as HttpRequest;

const claims: [string, string][] = [
  ['host', 'api.example:8787'],
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-host', 'evil.example'],
];

const client = (address: string, trusted: boolean) => ({ address, group: address, trusted, exempt: false });
const named = (headers: readonly string[], wanted: string): string[] =>
  headers.filter((_value, index) => index % 2 === 1 && headers[index - 1] === wanted);

interface Origin {
  readonly title: string;
  readonly address: string;
  readonly trusted?: boolean;
  readonly publicUrl: string;
  readonly expected: [forwardedFor: string, proto: string, host: string];
}
const origins: Origin[] = [
  {
    title: 'a client',
    address: '198.51.100.7',
    publicUrl: '',
    expected: ['198.51.100.7', 'http', 'api.example:8787'],
  },
  {
    title: 'a client at a public https address',
    address: '198.51.100.7',
    publicUrl: 'https://api.example',
    expected: ['198.51.100.7', 'https', 'api.example:8787'],
  },
  {
    title: 'a declared proxy',
    address: '203.0.113.9',
    trusted: true,
    publicUrl: '',
    expected: ['203.0.113.9', 'https', 'evil.example'],
  },
];
for (const { title, address, trusted = false, publicUrl, expected } of origins) {
  t.test(`sets forwarding headers for ${title}`, async (t) => {
    const { headers } = forwardedRequest(requestOf(claims), client(address, trusted), publicUrl);
    for (const [index, name] of ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'].entries()) {
      t.same(named(headers, name), [expected[index]], name);
    }
  });
}

t.test('never forwards the received body framing', async (t) => {
  const { headers, body } = forwardedRequest(
    requestOf([
      ['host', 'a'],
      ['transfer-encoding', 'chunked'],
    ]),
    client('198.51.100.7', false),
    '',
  );
  t.same(named(headers, 'transfer-encoding'), []);
  t.same(body, { kind: 'chunked' });
});

t.test('keeps repeated headers and bytes beyond ASCII', async (t) => {
  const { headers, method, path } = forwardedRequest(
    requestOf(
      [
        ['host', 'a'],
        ['cookie', 'a=1'],
        ['cookie', 'b=2'],
        ['__proto__', 'x'],
        ['x-name', 'caf\u00e9'],
      ],
      '/v1/y',
      'q=%20',
    ),
    client('198.51.100.7', false),
    '',
  );
  t.same(named(headers, 'cookie'), ['a=1', 'b=2']);
  t.same(named(headers, '__proto__'), ['x']);
  t.same(Buffer.from(named(headers, 'x-name')[0]!, 'latin1').toString('utf8'), 'caf\u00e9');
  t.equal(method, 'POST');
  t.equal(path, '/v1/y?q=%20');
});

t.test('drops a value that is not UTF-8 if nothing reads it, and refuses it otherwise', async (t) => {
  const forwarded = (...fields: [string, string][]) =>
    forwardedRequest(requestOf([['host', 'a'], ...fields]), client('198.51.100.7', false), '');
  const { headers } = forwarded(
    ['x-device-name', 'Caf\ufffd'],
    ['user-agent', '\ufffd'],
    ['app_version', '1'],
  );
  t.same([named(headers, 'x-device-name'), named(headers, 'user-agent')], [[], []]);
  t.same(named(headers, 'app_version'), ['1'], 'the others arrive');
  for (const name of [
    'authorization',
    'connection',
    'content-type',
    'cookie',
    'idempotency-key',
    'mcp-session-id',
    'origin',
    'transfer-encoding',
    'x-forwarded-proto',
    'x-request-id',
  ])
    t.throws(() => forwarded([name, 'a\ufffd']), { code: 'bad_request' }, name);
  t.throws(
    () => forwarded(['x-device-name', 'a\u0001\ufffd']),
    { code: 'bad_request' },
    'a control character',
  );
});

t.test('removes hop-by-hop headers of an answer', async (t) => {
  const raw = [
    'Connection',
    'close, X-Hop',
    'x-hop',
    '1',
    'Transfer-Encoding',
    'chunked',
    'X-Own',
    'a',
    'X-Own',
    'b',
    'Content-Length',
    '3',
    'Date',
    'Sun, 22 Nov 2026 09:00:00 GMT',
  ].map((text) => Buffer.from(text));
  t.same(
    answeredHeaders(raw).map(([name, value]) => [name, value.toString()]),
    [
      ['X-Own', 'a'],
      ['X-Own', 'b'],
    ],
  );
});
