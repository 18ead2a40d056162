/** The cases of h1spec (https://github.com/uNetworking/h1spec), with the names of that set. */
import type { Http1Case, Verdict } from './case.js';

const source = 'h1spec';
const host = 'Host: example.com\r\n';
const whole = 'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Returns a case with a head that ends in the middle. The server must wait for the rest. */
const fragment = (name: string, length: number): Http1Case => ({
  source,
  name,
  verdict: 'waits',
  bytes: whole.slice(0, length),
  rest: whole.slice(length),
});

const one = (name: string, verdict: Verdict, bytes: string, bodies?: readonly string[]): Http1Case => ({
  source,
  name,
  verdict,
  bytes,
  ...(bodies && { bodies }),
});

export const h1spec: readonly Http1Case[] = [
  fragment('Fragmented method', 'G'.length),
  fragment('Fragmented URL 1', 'GET '.length),
  fragment('Fragmented URL 2', 'GET /hello'.length),
  fragment('Fragmented URL 3', 'GET /hello '.length),
  fragment('Fragmented HTTP version', 'GET /hello HTTP'.length),
  fragment('Fragmented request line', 'GET /hello HTTP/1.1'.length),
  fragment('Fragmented request line newline 1', 'GET /hello HTTP/1.1\r'.length),
  fragment('Fragmented request line newline 2', 'GET /hello HTTP/1.1\r\n'.length),
  fragment('Fragmented field name', 'GET /hello HTTP/1.1\r\nHos'.length),
  fragment('Fragmented field value 1', 'GET /hello HTTP/1.1\r\nHost:'.length),
  fragment('Fragmented field value 2', 'GET /hello HTTP/1.1\r\nHost: '.length),
  fragment('Fragmented field value 3', 'GET /hello HTTP/1.1\r\nHost: localhost'.length),
  fragment('Fragmented field value 4', 'GET /hello HTTP/1.1\r\nHost: localhost\r'.length),
  fragment('Fragmented request', 'GET /hello HTTP/1.1\r\nHost: localhost\r\n'.length),
  fragment('Fragmented request termination', 'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r'.length),
  one('Request without HTTP version', 'refused', 'GET / \r\n\r\n'),
  one('Request with Expect header', 'served', `GET / HTTP/1.1\r\n${host}Expect: 100-continue\r\n\r\n`),
  one('Valid GET request', 'served', `GET / HTTP/1.1\r\n${host}\r\n`),
  one(
    'Valid GET request with edge cases',
    'served',
    'GET / HTTP/1.1\r\nhoSt:\texample.com\r\nempty:\r\n\r\n',
  ),
  one('Invalid header characters', 'refused', `GET / HTTP/1.1\r\n${host}X-Invalid[]: test\r\n\r\n`),
  one('Missing Host header', 'refused', 'GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n'),
  one('Multiple Host headers', 'refused', `GET / HTTP/1.1\r\n${host}Host: example.org\r\n\r\n`),
  one(
    'Overflowing negative Content-Length header',
    'refused',
    `GET / HTTP/1.1\r\n${host}Content-Length: -123456789123456789123456789\r\n\r\n`,
  ),
  one('Negative Content-Length header', 'refused', `GET / HTTP/1.1\r\n${host}Content-Length: -1234\r\n\r\n`),
  one('Non-numeric Content-Length header', 'refused', `GET / HTTP/1.1\r\n${host}Content-Length: abc\r\n\r\n`),
  one('Empty header value', 'served', `GET / HTTP/1.1\r\n${host}X-Empty-Header: \r\n\r\n`),
  one(
    'Header containing invalid control character',
    'refused',
    `GET / HTTP/1.1\r\n${host}X-Bad-Control-Char: test\x07\r\n\r\n`,
  ),
  one('Invalid HTTP version', 'refused', `GET / HTTP/9.9\r\n${host}\r\n`),
  one('Invalid prefix of request', 'refused', `Extra lineGET / HTTP/1.1\r\n${host}\r\n`),
  one('Invalid line ending', 'refused', `GET / HTTP/1.1\r\n${host}\rSome-Header: Test\r\n\r\n`),
  one('Valid POST request with body', 'served', `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`, [
    'hello',
  ]),
  one(
    'Chunked Transfer-Encoding',
    'served',
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nc\r\nHellO world1\r\n0\r\n\r\n`,
    ['HellO world1'],
  ),
  one(
    'Conflicting Transfer-Encoding and Content-Length in varying case',
    'refused',
    `POST / HTTP/1.1\r\n${host}content-LengtH: 5\r\nTransFer-Encoding: chunked\r\n\r\nc\r\nHellO world1\r\n0\r\n\r\n`,
  ),
];
