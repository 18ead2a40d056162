/** Request lines and header lines: illegal bytes, targets, versions, line ends, and large sizes. */
import { byteName, head, type Parts, type Variant, Verdict } from './variant.js';

const { served, refused, either } = Verdict;

const controls = Array.from({ length: 32 }, (_, byte) => byte).concat(0x7f);
const high = [0x80, 0x85, 0xa0, 0xc0, 0xe9, 0xfe, 0xff];

/** Puts one illegal byte at each position of a request. The test only requires at most one answer. */
const byteVariants = ({ authorization }: Parts): Variant[] =>
  [...controls, ...high].flatMap((byte) => {
    const character = String.fromCharCode(byte);
    const rest = `Host: cochlea\r\n${authorization}\r\n`;
    const places: readonly (readonly [string, string])[] = [
      ['method', `GE${character}T / HTTP/1.1\r\n${rest}`],
      ['path', `GET /a${character}b HTTP/1.1\r\n${rest}`],
      ['query', `GET /a?b=${character}c HTTP/1.1\r\n${rest}`],
      ['name', `GET / HTTP/1.1\r\nX-A${character}B: c\r\n${rest}`],
      ['value', `GET / HTTP/1.1\r\nX-A: b${character}c\r\n${rest}`],
      ['key', `GET /v1/dev/keys HTTP/1.1\r\nHost: cochlea\r\nAuthorization: Bearer ${character}x\r\n\r\n`],
    ];
    // A CR or LF can end the line early. The rest of the line must not count as a separate request.
    return places.map(
      ([place, bytes]): Variant => ({
        name: `${byteName(byte)} in the ${place}`,
        pieces: [bytes],
        verdict: either,
      }),
    );
  });

const targetVariants = ({ get, authorization, inner }: Parts): Variant[] => {
  const targets: readonly (readonly [string, string, Verdict])[] = [
    ['origin form', get, served],
    ['absolute form', `http://cochlea${get}`, either],
    ['absolute form of another host', 'http://127.0.0.1:22/', either],
    ['absolute form with credentials', `http://a:b@cochlea${get}`, either],
    ['absolute form, https', `https://cochlea${get}`, either],
    ['absolute form of nothing', 'http://', either],
    ['another scheme', 'file:///etc/passwd', either],
    ['authority form', 'cochlea:80', either],
    ['asterisk form', '*', either],
    ['no slash', 'v1/dev/keys', either],
    ['two slashes', `//cochlea${get}`, either],
    ['backslash', '\\v1\\dev\\keys', either],
    ['a fragment', `${get}#x`, either],
    ['a fragment alone', '#', either],
    ['a question mark alone', '?', either],
    ['a space within', '/a b', either],
    ['a request within', `/ HTTP/1.1 ${inner.split('\r\n')[0]}`, either],
    ['dots', '/v1/dev/../../etc/passwd', either],
    ['coded dots', '/v1/%2e%2e/%2e%2e/etc/passwd', either],
    ['a percent sign', '/%', either],
    ['no hexadecimal', '/%zz', either],
    ['coded NUL', '/%00', either],
    ['coded line end', '/%0d%0aX:%20y', either],
    ['coded line end in the query', '/?a=%0d%0aContent-Length:%205', either],
    ['coded 0xe9', '/%e9', either],
    ['coded U+0100', '/%c4%80', either],
    ['coded surrogate', '/%ed%a0%80', either],
    ['U+0100', '/\xc4\x80', either],
    ['a pile of text', '/\xf0\x9f\x92\xa9', either],
    ['8 KB', `/${'a'.repeat(8192)}`, either],
    ['64 KB', `/${'a'.repeat(65_536)}`, either],
    ['query of 64 KB', `/?${'a'.repeat(65_536)}`, either],
    ['10,000 parameters', `/?${'a=1&'.repeat(10_000)}`, either],
    ['__proto__', '/__proto__?__proto__[a]=1&constructor=2', either],
  ];
  return targets.map(
    ([name, target, verdict]): Variant => ({
      name: `target: ${name}`,
      pieces: [`${head('GET', target, [authorization.trimEnd()])}\r\n`],
      verdict,
    }),
  );
};

const versionVariants = ({ get, authorization, inner }: Parts): Variant[] => {
  const lines: readonly (readonly [string, string, Verdict])[] = [
    ['HTTP/1.0', `GET ${get} HTTP/1.0`, either],
    ['HTTP/1.2', `GET ${get} HTTP/1.2`, either],
    ['HTTP/2.0', `GET ${get} HTTP/2.0`, refused],
    ['HTTP/9.9', `GET ${get} HTTP/9.9`, refused],
    ['HTTP/11', `GET ${get} HTTP/11`, refused],
    ['HTTP/1.', `GET ${get} HTTP/1.`, refused],
    ['HTTP/01.1', `GET ${get} HTTP/01.1`, refused],
    ['HTTP/1.1x', `GET ${get} HTTP/1.1x`, refused],
    ['HTTP/-1.1', `GET ${get} HTTP/-1.1`, refused],
    ['lower case', `GET ${get} http/1.1`, refused],
    ['another name', `GET ${get} ICAP/1.0`, refused],
    ['none', `GET ${get}`, refused],
    ['none but a space', `GET ${get} `, refused],
    ['two spaces', `GET  ${get}  HTTP/1.1`, either],
    ['tabs', `GET\t${get}\tHTTP/1.1`, refused],
    ['a space behind', `GET ${get} HTTP/1.1 `, either],
    ['a space before', ` GET ${get} HTTP/1.1`, refused],
    ['an empty line before', `\r\nGET ${get} HTTP/1.1`, either],
    ['LF before', `\nGET ${get} HTTP/1.1`, either],
    ['no method', `${get} HTTP/1.1`, refused],
    ['no target', 'GET HTTP/1.1', refused],
  ];
  const rest = `Host: cochlea\r\n${authorization}\r\n`;
  return [
    ...lines.map(
      ([name, line, verdict]): Variant => ({
        name: `version: ${name}`,
        pieces: [`${line}\r\n${rest}`],
        verdict,
      }),
    ),
    {
      name: 'version: HTTP/1.0 with keep-alive and a request behind it',
      pieces: [`GET ${get} HTTP/1.0\r\nConnection: keep-alive\r\n${rest}${inner}`],
      verdict: either,
      most: 2,
      innerAllowed: true,
    },
    {
      name: 'version: HTTP/1.0 with chunks',
      pieces: [`POST ${get} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n${rest}0\r\n\r\n`],
      verdict: either,
    },
    { name: 'version: HTTP/0.9', pieces: ['GET /\r\n'], verdict: either, incomplete: true },
    { name: 'version: HTTP/0.9 and an empty line', pieces: ['GET /\r\n\r\n'], verdict: refused },
    {
      name: 'version: HTTP/2 preface',
      pieces: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00'],
      verdict: either,
    },
    {
      name: 'TLS hello',
      pieces: [`\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'\x5a'.repeat(509)}`],
      verdict: either,
      incomplete: true,
    },
    {
      name: 'PROXY protocol 1',
      pieces: [`PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\nGET ${get} HTTP/1.1\r\n${rest}`],
      verdict: either,
    },
    {
      name: 'PROXY protocol 2',
      pieces: [
        `\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c${'\x7f\x00\x00\x01'.repeat(3)}GET ${get} HTTP/1.1\r\n${rest}`,
      ],
      verdict: either,
    },
    { name: 'SSH', pieces: ['SSH-2.0-OpenSSH_9.2p1\r\n'], verdict: either, incomplete: true },
    { name: 'an answer', pieces: ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'], verdict: either },
    { name: 'nothing but line ends', pieces: ['\r\n'.repeat(50)], verdict: either, incomplete: true },
    { name: 'one byte', pieces: ['G'], verdict: either, incomplete: true },
    { name: 'half a head', pieces: [`GET ${get} HTTP/1.1\r\nHost: coch`], verdict: either, incomplete: true },
  ];
};

const headerVariants = ({ get, authorization, inner }: Parts): Variant[] => {
  const auth = authorization.trimEnd();
  const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `X-${i}: ${i}`);
  const sets: readonly (readonly [string, readonly string[], Verdict])[] = [
    ['50 of them', many(20), either],
    ['150 of them', many(150), either],
    ['2000 of them', many(2000), either],
    ['a value of 3 KB', [`X-A: ${'a'.repeat(3000)}`], either],
    ['a value of 16 KB', [`X-A: ${'a'.repeat(16_384)}`], either],
    ['a value of 200 KB', [`X-A: ${'a'.repeat(200_000)}`], either],
    ['a name of 8 KB', [`${'a'.repeat(8192)}: a`], either],
    ['no name', [': a'], either],
    ['no colon', ['nothing'], either],
    ['a space before the colon', ['X-A : b'], either],
    ['a space within a name', ['X A: b'], either],
    ['a folded line', ['X-A: b', ' c'], either],
    ['a folded line with a tab', ['X-A: b', '\tc'], either],
    ['a line of nothing but a space', [' '], either],
    ['Host twice', ['Host: cochlea'], either],
    ['Host twice, different', ['Host: other'], either],
    ['Authorization twice', ['Authorization: Bearer x'], either],
    ['Authorization folded', ['Authorization: Bearer', ' x'], either],
    ['__proto__', ['__proto__: x', 'constructor: y', 'toString: z'], either],
    ['Content-Type of bytes', ['Content-Type: \xe9\xff'], either],
    [
      'Forwarded',
      ['X-Forwarded-For: 1.2.3.4\x00', 'X-Forwarded-Host: a\xe9', 'Forwarded: for="\xff"'],
      either,
    ],
  ];
  const line = `GET ${get} HTTP/1.1\r\n`;
  const hosts: readonly (readonly [string, string, Verdict?])[] = [
    ['none', ''],
    ['empty', 'Host:\r\n'],
    ['a space within', 'Host: a b\r\n'],
    ['a comma', 'Host: a,b\r\n'],
    ['a slash', 'Host: a/b\r\n'],
    ['an at', 'Host: a@b\r\n'],
    ['bytes', 'Host: \xe9\r\n'],
    ['a space before the colon', 'Host : cochlea\r\n'],
    ['a port of words', 'Host: cochlea:abc\r\n'],
    ['a bracket', 'Host: [\r\n', refused],
    ['a bracket that is not closed', 'Host: [::1\r\n', refused],
    ['an address in brackets', 'Host: [::1]:8080\r\n', served],
  ];
  const whole = `${line}Host: cochlea\r\n${authorization}\r\n`;
  return [
    ...sets.map(
      ([name, lines, verdict]): Variant => ({
        name: `headers: ${name}`,
        pieces: [`${head('GET', get, [auth, ...lines])}\r\n`],
        verdict,
      }),
    ),
    ...hosts.map(
      ([name, host, verdict = either]): Variant => ({
        name: `Host: ${name}`,
        pieces: [`${line}${host}${authorization}\r\n`],
        verdict,
      }),
    ),
    { name: 'line ends: LF', pieces: [whole.replaceAll('\r\n', '\n')], verdict: either },
    { name: 'line ends: CR', pieces: [whole.replaceAll('\r\n', '\r')], verdict: either, incomplete: true },
    { name: 'line ends: CR CR LF', pieces: [whole.replaceAll('\r\n', '\r\r\n')], verdict: either },
    { name: 'line ends: LF CR', pieces: [whole.replaceAll('\r\n', '\n\r')], verdict: either },
    {
      name: 'line ends: LF at the end of the head',
      pieces: [whole.replace(/\r\n\r\n$/, '\n\n')],
      verdict: either,
    },
    {
      name: 'line ends: LF between headers hides a request',
      pieces: [`${line}Host: cochlea\r\nX-A: b\n\n${inner}`],
      verdict: either,
    },
    {
      name: 'line ends: CR LF LF hides a request',
      pieces: [`${line}Host: cochlea\r\nX-A: b\r\n\n${inner}`],
      verdict: either,
    },
    { name: 'one byte at a time', pieces: [...`GET / HTTP/1.1\r\nHost: c\r\n\r\n`], verdict: served },
    { name: 'in two halves', pieces: [whole.slice(0, 40), whole.slice(40)], verdict: served },
  ];
};

export const lineVariants = (parts: Parts): Variant[] => [
  ...byteVariants(parts),
  ...targetVariants(parts),
  ...versionVariants(parts),
  ...headerVariants(parts),
];
