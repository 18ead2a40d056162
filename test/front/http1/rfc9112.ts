/** Cases for RFC 9112, section by section. */
import { rareNameCharacters } from '../../../src/front/self-test/cases.js';
import type { Http1Case, Verdict } from './case.js';

const host = 'Host: cochlea\r\n';
type More = Omit<Http1Case, 'source' | 'name' | 'verdict' | 'bytes'>;

const one = (section: string, name: string, verdict: Verdict, bytes: string, more: More = {}): Http1Case => ({
  source: `RFC 9112, ${section}`,
  name,
  verdict,
  bytes,
  ...more,
});

/** Returns a case of a request without a body and with the given first line. */
const line = (section: string, name: string, verdict: Verdict, first: string, more?: More): Http1Case =>
  one(section, name, verdict, `${first}\r\n${host}\r\n`, more);

/** Returns a case of a GET with one more header line. */
const field = (section: string, name: string, verdict: Verdict, added: string, more?: More): Http1Case =>
  one(section, name, verdict, `GET /x HTTP/1.1\r\n${host}${added}\r\n\r\n`, more);

/** Returns a case of a POST with header lines that announce a body, followed by the body. */
const post = (
  section: string,
  name: string,
  verdict: Verdict,
  announced: string,
  body: string,
  more?: More,
): Http1Case => one(section, name, verdict, `POST /x HTTP/1.1\r\n${host}${announced}\r\n\r\n${body}`, more);

const chunked = 'Transfer-Encoding: chunked';
const get = `GET /x HTTP/1.1\r\n${host}\r\n`;
const old = { exceptOldUws: true } as const;
const hello = { bodies: ['hello'] } as const;

const messages: readonly Http1Case[] = [
  one('2.2', 'an empty line in front', 'served', `\r\n${get}`, old),
  one('2.2', 'line ends without a carriage return', 'either', get.replaceAll('\r\n', '\n')),
  one('2.2', 'a blank in front of the first field', 'refused', `GET /x HTTP/1.1\r\n ${host}\r\n`),
  one('2.2', 'bytes of TLS', 'refused', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'),
  line('2.3', 'a version in lower case', 'refused', 'GET /x http/1.1'),
  line('2.3', 'HTTP/1.0', 'either', 'GET /x HTTP/1.0'),
  line('2.3', 'HTTP/1.2', 'either', 'GET /x HTTP/1.2'),
  line('2.3', 'HTTP/2.0', 'refused', 'GET /x HTTP/2.0'),
  line('2.3', 'HTTP/9.9', 'refused', 'GET /x HTTP/9.9'),
  line('2.3', 'HTTP/1.10', 'refused', 'GET /x HTTP/1.10'),
];

const requestLines: readonly Http1Case[] = [
  line('3', 'no version', 'refused', 'GET /x'),
  line('3', 'words behind the version', 'refused', 'GET /x HTTP/1.1 more'),
  line('3', 'two blanks between the words', 'either', 'GET  /x  HTTP/1.1'),
  line('3', 'a blank in the target', 'refused', 'GET /x y HTTP/1.1'),
  line('3', 'a target of 8,000 bytes', 'served', `GET /${'x'.repeat(7999)} HTTP/1.1`),
  line('3.1', 'a method in lower case', 'refused', 'get /x HTTP/1.1', old),
  line('3.1', 'an unknown method', 'notAllowed', 'BREW /x HTTP/1.1', old),
  line(
    '3.1',
    'an unknown method with every character of a token',
    'notAllowed',
    `A${rareNameCharacters}9 /x HTTP/1.1`,
    old,
  ),
  line('3.1', 'an unknown method of 200 letters', 'notAllowed', `${'X'.repeat(200)} /x HTTP/1.1`, old),
  ...['QUERY', 'PROPFIND', 'TRACE', 'LINK', 'M-SEARCH'].map((method) =>
    line('3.1', method, 'notAllowed', `${method} /x HTTP/1.1`, old),
  ),
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) =>
    line('3.1', method, 'served', `${method} /x HTTP/1.1`),
  ),
  line('3.1', 'a method with a character that no token has', 'refused', 'GE(T /x HTTP/1.1'),
  line('3.2.1', 'a target with a query', 'served', 'GET /x?a=b&c=%20 HTTP/1.1', { target: '/x?a=b&c=%20' }),
  line('3.2.1', 'a target with every character of a path', 'served', "GET /-._~!$&'()*+,;=:@/ HTTP/1.1", {
    target: "/-._~!$&'()*+,;=:@/",
  }),
  line('3.2.1', 'a target that is no path', 'refused', 'GET x HTTP/1.1'),
  line('3.2.2', 'an absolute target', 'served', 'GET http://cochlea/x?a=b HTTP/1.1', {
    ...old,
    target: '/x?a=b',
  }),
  line('3.2.2', 'an absolute target without a path', 'served', 'GET http://cochlea?a HTTP/1.1', {
    ...old,
    target: '/?a',
  }),
  line('3.2.2', 'an absolute target of another host', 'served', 'GET HTTP://other:80/x HTTP/1.1', {
    ...old,
    target: '/x',
  }),
  line('3.2.2', 'an absolute target with a user', 'refused', 'GET http://user@cochlea/x HTTP/1.1'),
  line('3.2.2', 'an absolute target of another scheme', 'refused', 'GET ftp://cochlea/x HTTP/1.1'),
  line('3.2.3', 'CONNECT', 'notAllowed', 'CONNECT cochlea:443 HTTP/1.1', old),
  line('3.2.4', 'OPTIONS of the server', 'answered', 'OPTIONS * HTTP/1.1', old),
  line('3.2.4', 'GET of the server', 'refused', 'GET * HTTP/1.1'),
  one('3.2', 'no Host', 'refused', 'GET /x HTTP/1.1\r\n\r\n'),
  one('3.2', 'no Host beside an absolute target', 'refused', 'GET http://cochlea/x HTTP/1.1\r\n\r\n'),
  field('3.2', 'two Hosts', 'refused', 'Host: other'),
  one('3.2', 'an empty Host', 'served', 'GET /x HTTP/1.1\r\nHost:\r\n\r\n'),
  one('3.2', 'a Host with a port', 'served', 'GET /x HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n'),
  one('3.2', 'a Host that is none', 'refused', 'GET /x HTTP/1.1\r\nHost: a b\r\n\r\n'),
];

const fields: readonly Http1Case[] = [
  field('5.1', 'no blank behind the colon', 'served', 'X-A:b'),
  field('5.1', 'blanks and tabs around a value', 'served', 'X-A: \t b \t '),
  field('5.1', 'an empty value', 'served', 'X-A:'),
  field('5.1', 'a blank in front of the colon', 'refused', 'X-A : b'),
  field('5.1', 'a tab in front of the colon', 'refused', 'X-A\t: b'),
  field('5.1', 'no colon', 'refused', 'X-A'),
  field('5.1', 'no name', 'refused', ': b'),
  ...[...rareNameCharacters].map((character) =>
    field(
      '5',
      `${character} in a name`,
      'served',
      `a${character}b: 1\r\n${character}c: 2`,
      character === '-' ? {} : old,
    ),
  ),
  ...[...'()<>@,;\\"/[]?={} \x7f\x01\x80'].map((character) =>
    field('5', `${JSON.stringify(character)} in a name`, 'refused', `a${character}b: 1`),
  ),
  field(
    '5.5',
    'every visible character in a value',
    'served',
    `X-A: ${String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))}`,
  ),
  ...['\x00', '\x01', '\x07', '\x0b', '\x1f', '\x7f', 'a\rb'].map((bytes) =>
    field('5.5', `${JSON.stringify(bytes)} in a value`, 'refused', `X-A: a${bytes}b`),
  ),
  field('5.2', 'a folded value', 'refused', 'X-A: a\r\n b'),
  field('5.2', 'a value folded with a tab', 'refused', 'X-A: a\r\n\tb'),
  field('5', 'a value of 8,000 bytes', 'served', `X-A: ${'a'.repeat(8000)}`),
  field(
    '5',
    '90 fields',
    'served',
    Array.from({ length: 90 }, (_, index) => `X-${index}: ${index}`).join('\r\n'),
    old,
  ),
  field('5', 'a head that is too long', 'refused', `X-A: ${'a'.repeat(70_000)}`),
];

const bodies: readonly Http1Case[] = [
  post('6.2', 'a length', 'served', 'Content-Length: 5', 'hello', hello),
  post('6.2', 'a length with zeros in front', 'either', 'Content-Length: 0005', 'hello', hello),
  ...['+5', '-1', '0x5', '5 5', '5.0', 'five', '', '99999999999999999999999'].map((length) =>
    post(
      '6.2',
      `a length of ${JSON.stringify(length)}`,
      length === '' ? 'either' : 'refused',
      `Content-Length: ${length}`,
      length === '' ? '' : 'hello',
    ),
  ),
  post('6.3', 'the same length twice', 'refused', 'Content-Length: 5\r\nContent-Length: 5', 'hello'),
  post('6.3', 'a list of lengths', 'refused', 'Content-Length: 5, 5', 'hello'),
  post('6.3', 'two lengths', 'refused', 'Content-Length: 5\r\nContent-Length: 6', 'hello!'),
  post('6.3', 'a length and chunks', 'refused', `Content-Length: 5\r\n${chunked}`, '0\r\n\r\n'),
  post('6.3', 'neither length nor chunks', 'served', 'X-A: b', ''),
  post('6.1', 'chunks', 'served', chunked, '5\r\nhello\r\n0\r\n\r\n', hello),
  post(
    '6.1',
    'chunked in other case',
    'served',
    'transfer-encoding: CHUNKED',
    '5\r\nhello\r\n0\r\n\r\n',
    hello,
  ),
  ...['gzip', 'identity', 'chunked, chunked', 'chunked, gzip', 'xchunked', 'chunked;q=1'].map((coding) =>
    post('6.1', `Transfer-Encoding: ${coding}`, 'refused', `Transfer-Encoding: ${coding}`, '0\r\n\r\n'),
  ),
  one(
    '6.1',
    'chunks with HTTP/1.0',
    'either',
    `POST /x HTTP/1.0\r\n${host}${chunked}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    hello,
  ),
  post(
    '7.1',
    'sizes in both cases, with zeros in front',
    'served',
    chunked,
    '00A\r\n0123456789\r\n0b\r\n01234567890\r\n0\r\n\r\n',
    {
      bodies: ['012345678901234567890'],
    },
  ),
  post('7.1.1', 'an extension', 'served', chunked, '5;a=b;c\r\nhello\r\n0\r\n\r\n', { ...hello, ...old }),
  post('7.1.1', 'an extension with a quoted value', 'served', chunked, '5;a="b c"\r\nhello\r\n0\r\n\r\n', {
    ...hello,
    ...old,
  }),
  post('7.1.2', 'a trailer', 'served', chunked, '5\r\nhello\r\n0\r\nX-A: b\r\n\r\n', { ...hello, ...old }),
  ...[
    ['a size that is no number', 'g\r\nhello\r\n0\r\n\r\n'],
    ['a negative size', '-5\r\nhello\r\n0\r\n\r\n'],
    ['a size with a sign', '+5\r\nhello\r\n0\r\n\r\n'],
    ['a size in front of which C writes 0x', '0x5\r\nhello\r\n0\r\n\r\n'],
    ['a size beyond 64 bits', 'fffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
    ['more bytes than the size', '4\r\nhello\r\n0\r\n\r\n'],
  ].map(([name, body]) => post('7.1', name!, 'refused', chunked, body!)),
];

const connections: readonly Http1Case[] = [
  one('8', 'half a head', 'waits', get.slice(0, 20), { rest: get.slice(20) }),
  one('8', 'half a body', 'waits', `POST /x HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhe`, {
    rest: 'llo',
    ...hello,
  }),
  one('8', 'half a chunk', 'waits', `POST /x HTTP/1.1\r\n${host}${chunked}\r\n\r\n5\r\nhe`, {
    rest: 'llo\r\n0\r\n\r\n',
    ...hello,
  }),
  one('9.3.2', 'three requests at once', 'served', get + get + get, {
    answers: 3,
    bodies: ['', '', ''],
    ...old,
  }),
  one(
    '9.3.2',
    'requests with bodies at once',
    'served',
    `${`POST /x HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`}${`POST /x HTTP/1.1\r\n${host}${chunked}\r\n\r\n2\r\nab\r\n0\r\n\r\n`}`,
    { answers: 2, bodies: ['hello', 'ab'], ...old },
  ),
  one(
    '9.6',
    'what stands behind a request that closes',
    'served',
    get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') + get,
    old,
  ),
  field('9.1', 'a list in Connection', 'served', 'Connection: keep-alive,\tX-A , \r\nX-A: b'),
  post('10', 'Expect: 100-continue', 'served', 'Expect: 100-continue\r\nContent-Length: 5', 'hello', hello),
  post('10', 'another expectation', 'either', 'Expect: coffee\r\nContent-Length: 5', 'hello', hello),
];

export const rfc9112: readonly Http1Case[] = [
  ...messages,
  ...requestLines,
  ...fields,
  ...bodies,
  ...connections,
];
