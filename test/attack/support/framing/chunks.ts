/** Chunked bodies: sizes in every spelling, extensions, trailers, and missing or forged ends. */
import { chunked, head, type Parts, type Variant, Verdict } from './variant.js';

const { served, refused, either } = Verdict;

interface Shape {
  readonly name: string;
  /** The body as sent. `I` is replaced by the hidden request, and `S` by the request's length in hexadecimal. */
  readonly body: string;
  readonly verdict: Verdict;
  readonly incomplete?: boolean;
}

const shapes: readonly Shape[] = [
  { name: 'one chunk', body: 'S\r\nI\r\n0\r\n\r\n', verdict: served },
  { name: 'size with leading zeros', body: '00S\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'final chunk 000', body: 'S\r\nI\r\n000\r\n\r\n', verdict: either },
  { name: 'upper-case size', body: 'A\r\n0123456789\r\nS\r\nI\r\n0\r\n\r\n', verdict: served },
  { name: 'extension', body: 'S;name\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'extension with value', body: 'S;name=value\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'quoted extension', body: 'S;name="a;b"\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'extension on the final chunk', body: 'S\r\nI\r\n0;last\r\n\r\n', verdict: either },
  { name: 'bare LF in an extension', body: 'S;a\nb\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'NUL in an extension', body: 'S;\x00\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'extension of 20 KB', body: `S;${'x'.repeat(20_000)}\r\nI\r\n0\r\n\r\n`, verdict: either },
  { name: 'extension without end', body: `S;${'x'.repeat(100_000)}`, verdict: either, incomplete: true },
  { name: 'space behind the size', body: 'S \r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'space before the size', body: ' S\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'tab behind the size', body: 'S\t\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'plus', body: '+S\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'minus', body: '-S\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: '0x', body: '0xS\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'two sizes', body: 'S S\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'no size', body: '\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'no hexadecimal', body: 'g\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: '16 digits', body: 'FFFFFFFFFFFFFFFF\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: '17 digits that overflow', body: '1000000000000000S\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: '32-bit overflow', body: '10000000S\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'sign bit', body: '80000000\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'size ended by LF', body: 'S\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'size ended by CR', body: 'S\rI\r\n0\r\n\r\n', verdict: either },
  { name: 'all ended by LF', body: 'S\nI\n0\n\n', verdict: either },
  { name: 'data longer than its size', body: '5\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'data shorter than its size', body: 'SS\r\nI\r\n0\r\n\r\n', verdict: either },
  { name: 'data not followed by a line end', body: 'S\r\nIXX0\r\n\r\n', verdict: either },
  { name: 'no final chunk', body: 'S\r\nI\r\n', verdict: either, incomplete: true },
  { name: 'final chunk without its end', body: 'S\r\nI\r\n0\r\n', verdict: either, incomplete: true },
  { name: 'trailer', body: 'S\r\nI\r\n0\r\nX-Sum: 1\r\n\r\n', verdict: either },
  { name: 'trailer Content-Length', body: 'S\r\nI\r\n0\r\nContent-Length: 600\r\n\r\n', verdict: either },
  { name: 'trailer Transfer-Encoding', body: 'S\r\nI\r\n0\r\nTransfer-Encoding: x\r\n\r\n', verdict: either },
  { name: 'trailer Host', body: 'S\r\nI\r\n0\r\nHost: other\r\n\r\n', verdict: either },
  { name: 'trailer with bare LF', body: 'S\r\nI\r\n0\r\nX: 1\n\r\n', verdict: either },
  { name: 'size twice the digits', body: '0S\r\nI\r\n00000000000000000000\r\n\r\n', verdict: either },
];

/** Returns bodies that hide a request. A server that parses the chunks wrongly would answer the hidden request. */
const desync = ({ post, authorization, inner, trap }: Parts): Variant[] => {
  const auth = authorization.trimEnd();
  const start = head('POST', post, [auth, 'Transfer-Encoding: chunked']);
  const small = (count: number): string => Array.from({ length: count }, () => '1\r\nx\r\n').join('');
  return [
    { name: 'many small chunks', pieces: [`${start}\r\n${small(2000)}0\r\n\r\n`], verdict: served },
    {
      name: 'a request behind a complete body',
      pieces: [`${start}\r\n${chunked('{}')}${inner}`],
      verdict: either,
      most: 2,
      innerAllowed: true,
    },
    {
      name: 'a request behind a complete body, later',
      pieces: [`${start}\r\n`, chunked('{}'), inner],
      verdict: either,
      most: 2,
      innerAllowed: true,
    },
    {
      name: 'a head without its body behind a complete body',
      pieces: [`${start}\r\n${chunked('{}')}${trap}`],
      verdict: either,
    },
    {
      name: 'a size that hides the next request from a reader of 32 bits',
      pieces: [`${start}\r\n100000000\r\n\r\n0\r\n\r\n${inner}`],
      verdict: either,
    },
    {
      name: 'an early final chunk inside a longer one',
      pieces: [`${start}\r\n${(`0\r\n\r\n${inner}`.length).toString(16)}\r\n0\r\n\r\n${inner}\r\n0\r\n\r\n`],
      verdict: served,
    },
    {
      name: 'an invalid size, then a request',
      pieces: [`${start}\r\nzz\r\n\r\n${inner}`],
      verdict: refused,
    },
  ];
};

export const chunkVariants = (parts: Parts): Variant[] => {
  const { post, authorization, inner } = parts;
  const start = head('POST', post, [authorization.trimEnd(), 'Transfer-Encoding: chunked']);
  const whole = shapes.map(({ name, body, verdict, incomplete }): Variant => {
    const filled = body.replaceAll('S', inner.length.toString(16)).replace('I', () => inner);
    return {
      name: `chunks: ${name}`,
      pieces: [`${start}\r\n${filled}`],
      verdict,
      ...(incomplete ? { incomplete } : {}),
    };
  });
  const inPieces = whole
    .filter(({ verdict }) => verdict === served)
    .map((variant): Variant => {
      const bytes = String(variant.pieces[0]);
      const cut = start.length + 3;
      return {
        ...variant,
        name: `${variant.name}, in pieces`,
        pieces: [bytes.slice(0, cut), bytes.slice(cut)],
      };
    });
  return [...whole, ...inPieces, ...desync(parts)];
};
