/** Variants with every real and some invented methods: with a body, with chunks, and with a pipelined request. */
import { chunked, head, type Parts, type Variant, Verdict } from './variant.js';

const { served, refused, either } = Verdict;

const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const others = [
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'PURGE',
  'QUERY',
  'FOO',
  'get',
  'G!T',
  'PRI',
  'X'.repeat(300),
];

const methodVariants = ({ get, authorization, inner, trap }: Parts): Variant[] => {
  const auth = authorization.trimEnd();
  return [...known, ...others].flatMap((method): Variant[] => {
    const name = method.slice(0, 12);
    const isKnown = (known as readonly string[]).includes(method);
    const start = head(method, get, [auth]);
    const methods = [method];
    return [
      {
        name: `${name} alone`,
        pieces: [`${start}\r\n`],
        verdict: isKnown ? served : either,
        methods,
      },
      {
        name: `${name}, then a request`,
        pieces: [`${start}\r\n${inner}`],
        verdict: either,
        methods,
        most: 2,
        innerAllowed: true,
      },
      {
        name: `${name}, then a head without its body`,
        pieces: [`${start}\r\n${trap}`],
        verdict: either,
        methods,
      },
      {
        name: `${name} with a length`,
        pieces: [`${start}Content-Length: ${inner.length}\r\n\r\n${inner}`],
        verdict: either,
        methods,
      },
      {
        name: `${name} with a length, the body later`,
        pieces: [`${start}Content-Length: ${inner.length}\r\n\r\n`, inner],
        verdict: either,
        methods,
      },
      {
        name: `${name} with chunks`,
        pieces: [`${start}Transfer-Encoding: chunked\r\n\r\n${chunked(inner)}`],
        verdict: either,
        methods,
      },
      {
        name: `${name} with a length of nothing`,
        pieces: [`${start}Content-Length: 0\r\n\r\n`],
        verdict: isKnown ? served : either,
        methods,
      },
      {
        name: `${name} with Connection: content-length`,
        pieces: [`${start}Connection: content-length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
        // The server may refuse a request with an unknown method because of that method.
        verdict: isKnown ? refused : either,
        methods,
      },
    ];
  });
};

/**
 * Variants with `Connection` values. The server must refuse values that name framing headers. The other values are
 * harmless.
 */
const connectionVariants = ({ post, authorization, inner, trap }: Parts): Variant[] => {
  const auth = authorization.trimEnd();
  const body = inner + trap;
  const framings = [
    ['length', `Content-Length: ${body.length}`, body],
    ['chunks', 'Transfer-Encoding: chunked', chunked(body)],
  ] as const;
  const forbidden = [
    'content-length',
    'Content-Length',
    'CONTENT-LENGTH',
    'transfer-encoding',
    'Transfer-Encoding',
    'close, content-length',
    'keep-alive, Transfer-Encoding',
    'content-length, transfer-encoding',
    ',content-length,',
    ' \tcontent-length\t ',
    'x\r\nConnection: content-length',
    'content-length\r\nConnection: x',
    'keep-alive\r\nconnection: close,transfer-encoding',
  ];
  const harmless = [
    'close',
    'keep-alive',
    'Keep-Alive',
    'host, authorization',
    'authorization',
    'host',
    'content-type',
    'x-forwarded-for, x-forwarded-host, forwarded',
    'upgrade',
    'te, trailer',
    '"content-length"',
    'content-length;x',
    'content_length',
    '',
  ];
  return framings.flatMap(([kind, line, bytes]) =>
    [
      ...forbidden.map((value) => [value, refused] as const),
      ...harmless.map((value) => [value, either] as const),
    ].map(
      ([value, verdict]): Variant => ({
        name: `${kind}, Connection: ${JSON.stringify(value).slice(1, -1)}`,
        pieces: [`${head('POST', post, [auth, `Connection: ${value}`, line])}\r\n${bytes}`],
        verdict,
      }),
    ),
  );
};

/** Variants with `Upgrade` and `Expect`. The answer to these headers changes how the next bytes on a connection are read. */
const switchVariants = ({ get, post, authorization, inner, trap }: Parts): Variant[] => {
  const auth = authorization.trimEnd();
  const websocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const nonce = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const length = `Content-Length: ${inner.length}`;
  const table: readonly (readonly [string, string, string, readonly string[], string])[] = [
    [
      'h2c',
      'GET',
      get,
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
      '',
    ],
    ['h2c with a request behind it', 'GET', get, ['Connection: Upgrade', 'Upgrade: h2c', length], inner],
    ['websocket on a REST path', 'GET', get, [...websocket, nonce], ''],
    ['websocket on a REST path, body', 'GET', get, [...websocket, nonce, length], inner],
    ['websocket without a token', 'GET', '/v4/listen?uid=victim', [...websocket, nonce], ''],
    ['websocket without a token, body', 'GET', '/v4/listen?uid=victim', [...websocket, nonce, length], inner],
    [
      'websocket without a token, chunks',
      'GET',
      '/v4/listen?uid=victim',
      [...websocket, nonce, 'Transfer-Encoding: chunked'],
      chunked(inner),
    ],
    [
      'websocket without a token, then a request',
      'GET',
      '/v4/listen?uid=victim',
      [...websocket, nonce],
      inner,
    ],
    ['websocket without a nonce', 'GET', '/v4/listen?uid=victim', websocket, ''],
    [
      'websocket with a short nonce',
      'GET',
      '/v4/listen?uid=victim',
      [...websocket, 'Sec-WebSocket-Key: x'],
      '',
    ],
    ['websocket by POST', 'POST', '/v4/listen?uid=victim', [...websocket, nonce, length], inner],
    [
      'websocket that takes the length away',
      'POST',
      post,
      ['Connection: Upgrade, content-length', 'Upgrade: websocket', length],
      inner,
    ],
    ['tls', 'OPTIONS', '*', ['Connection: Upgrade', 'Upgrade: TLS/1.0'], ''],
    ['Expect: 100-continue', 'POST', post, ['Expect: 100-continue', length], inner],
    ['Expect: 100-continue on GET', 'GET', get, ['Expect: 100-continue', length], inner],
    ['an unknown expectation', 'POST', post, ['Expect: x', length], inner],
    [
      'Expect: 100-continue, chunks, trap',
      'POST',
      post,
      ['Expect: 100-continue', 'Transfer-Encoding: chunked'],
      chunked(inner + trap),
    ],
    ['Expect in two lines', 'POST', post, ['Expect: 100-continue', 'Expect: x', length], inner],
    ['TE: trailers', 'GET', get, ['TE: trailers', 'Trailer: Content-Length'], ''],
  ];
  return table.map(
    ([name, method, target, lines, body]): Variant => ({
      name: `switch: ${name}`,
      pieces: [`${head(method, target, [auth, ...lines])}\r\n${body}`],
      verdict: either,
    }),
  );
};

export const requestVariants = (parts: Parts): Variant[] => [
  ...methodVariants(parts),
  ...connectionVariants(parts),
  ...switchVariants(parts),
];
