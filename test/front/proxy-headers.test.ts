import type { HttpRequest } from 'uWebSockets.js';
import t from 'tap';
import { answeredHeaders, forwardedRequest } from '../../src/front/proxy-headers.js';

/** A request as the listener sees it; only what `forwardedRequest` reads. */
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

interface Origin {
  readonly title: string;
  readonly address: string;
  readonly publicUrl: string;
  readonly expected: [forwardedFor: string, proto: string, host: string];
}
const origins: Origin[] = [
  {
    title: 'a stranger',
    address: '198.51.100.7',
    publicUrl: '',
    expected: ['198.51.100.7', 'http', 'api.example:8787'],
  },
  {
    title: 'a stranger at a public https address',
    address: '198.51.100.7',
    publicUrl: 'https://api.example',
    expected: ['198.51.100.7', 'https', 'api.example:8787'],
  },
  {
    title: 'a reverse proxy on this machine',
    address: '127.0.0.1',
    publicUrl: '',
    expected: ['203.0.113.9, 127.0.0.1', 'https', 'evil.example'],
  },
  {
    title: 'a reverse proxy on this machine, IPv6',
    address: '0000:0000:0000:0000:0000:0000:0000:0001',
    publicUrl: '',
    expected: ['203.0.113.9, 0000:0000:0000:0000:0000:0000:0000:0001', 'https', 'evil.example'],
  },
  {
    title: 'a stranger whose address only looks like loopback',
    address: '1127.0.0.1',
    publicUrl: '',
    expected: ['1127.0.0.1', 'http', 'api.example:8787'],
  },
];
for (const { title, address, publicUrl, expected } of origins) {
  t.test(`what ${title} says about itself`, async (t) => {
    const { headers } = forwardedRequest(requestOf(claims), address, publicUrl);
    t.same([headers['x-forwarded-for'], headers['x-forwarded-proto'], headers['x-forwarded-host']], expected);
  });
}

t.test('a chunked body overrides a length: no request may be read in two ways', async (t) => {
  const { headers, announced } = forwardedRequest(
    requestOf([
      ['content-length', '5'],
      ['transfer-encoding', 'chunked'],
    ]),
    '127.0.0.1',
    '',
  );
  t.equal(headers['content-length'], undefined);
  t.equal(headers['transfer-encoding'], 'chunked');
  t.ok(Number.isNaN(announced));
});

t.test('repeated headers stay repeated; names from the client cannot reach a prototype', async (t) => {
  const { headers, method, path } = forwardedRequest(
    requestOf(
      [
        ['cookie', 'a=1'],
        ['cookie', 'b=2'],
        ['__proto__', 'x'],
      ],
      '/v1/y',
      'q=%20',
    ),
    '127.0.0.1',
    '',
  );
  t.same(headers.cookie, ['a=1', 'b=2']);
  t.equal(({} as Record<string, unknown>).x, undefined);
  t.equal(method, 'POST');
  t.equal(path, '/v1/y?q=%20');
});

t.test('headers of an answer lose what belongs to its hop', async (t) => {
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
  ];
  t.same(answeredHeaders(raw), [
    ['X-Own', 'a'],
    ['X-Own', 'b'],
  ]);
});
