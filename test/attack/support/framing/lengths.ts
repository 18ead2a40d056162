/** Variants of the declared body length: each spelling of `Content-Length` and `Transfer-Encoding`, alone, repeated, and in conflict. */
import { chunked, head, type Parts, type Variant, Verdict } from './variant.js';

const { served, refused, either } = Verdict;

/** `Content-Length` lines with the expected verdict. `#` is replaced by the true length. */
const lengthSpellings: readonly (readonly [line: string, verdict: Verdict])[] = [
  ['Content-Length: #', served],
  ['content-length: #', served],
  ['CONTENT-LENGTH: #', served],
  ['Content-Length:#', served],
  ['Content-Length:\t#', either],
  ['Content-Length:   #   ', served],
  ['Content-Length: 000#', either],
  ['Content-Length: +#', refused],
  ['Content-Length: -#', refused],
  ['Content-Length: -1', refused],
  ['Content-Length: 0x#', refused],
  ['Content-Length: # #', refused],
  ['Content-Length: #, #', either],
  ['Content-Length: #,#', either],
  ['Content-Length: #, 0', refused],
  ['Content-Length: 0, #', refused],
  ['Content-Length: ,#', refused],
  ['Content-Length: #,', refused],
  ['Content-Length:', refused],
  ['Content-Length:  ', refused],
  ['Content-Length: #;', refused],
  ['Content-Length: #.0', refused],
  ['Content-Length: 1e2', refused],
  ['Content-Length: "#"', refused],
  ['Content-Length: #_0', refused],
  ['Content-Length: 9223372036854775808', refused],
  ['Content-Length: 18446744073709551615', refused],
  ['Content-Length: 18446744073709551616', refused],
  ['Content-Length: 4294967296', refused],
  ['Content-Length: 99999999999999999999999999999999', refused],
  ['Content-Length: NaN', refused],
  ['Content-Length: #\x00', refused],
  ['Content-Length: #\x0b', refused],
  ['Content-Length: \x0c#', refused],
  // The listener removes bytes of 0x80 and above at the ends of a value, like blanks. So the engine's code does not
  // receive them.
  ['Content-Length: #\xa0', either],
  ['Content-Length: \xb2\xb3', refused],
  ['Content-Length : #', refused],
  ['Content-Length\t: #', refused],
  ['Content-Length\x00: #', refused],
  ['Content-Length:\r\n #', refused],
  ['Content-Length: 1\r\n #', refused],
  ['Content-Length: #\r\n 0', refused],
  ['X-A: b\r\n Content-Length: 0\r\nContent-Length: #', refused],
  ['X-A: b\nContent-Length: 0\r\nContent-Length: #', refused],
  ['X-A: b\rContent-Length: 0\r\nContent-Length: #', refused],
  ['Content-Length: #\r\nContent-Length: #', either],
  ['Content-Length: #\r\ncontent-length: #', either],
  ['Content-Length: #\r\nContent-Length: 0', refused],
  ['Content-Length: 0\r\nContent-Length: #', refused],
  ['Content-Length: #\r\nX-Between: 1\r\nCONTENT-LENGTH: 1', refused],
  ['Content-Length: 1\r\nX-Between: 1\r\nContent-length: #', refused],
  ['Content-Length: #\r\nContent-Length: ', refused],
  ['Content-Length: \r\nContent-Length: #', refused],
  ['Content-Length: #\r\nContent-Length: #\r\nContent-Length: 0', refused],
];

/** `Transfer-Encoding` lines with the expected verdict. */
const encodingSpellings: readonly (readonly [line: string, verdict: Verdict])[] = [
  ['Transfer-Encoding: chunked', served],
  ['transfer-encoding: chunked', served],
  ['TRANSFER-ENCODING: CHUNKED', served],
  ['Transfer-Encoding: Chunked', served],
  ['Transfer-Encoding:chunked', served],
  ['Transfer-Encoding:   chunked   ', served],
  ['Transfer-Encoding:\tchunked', either],
  ['Transfer-Encoding: chunked\t', either],
  ['Transfer-Encoding: chunked,', either],
  ['Transfer-Encoding: ,chunked', either],
  ['Transfer-Encoding: , chunked,', either],
  ['Transfer-Encoding: identity', refused],
  ['Transfer-Encoding: xchunked', refused],
  ['Transfer-Encoding: chunkedx', refused],
  ['Transfer-Encoding: x chunked', refused],
  ['Transfer-Encoding: chunked, identity', refused],
  ['Transfer-Encoding: identity, chunked', refused],
  ['Transfer-Encoding: chunked, chunked', refused],
  ['Transfer-Encoding: chunked;', refused],
  ['Transfer-Encoding: chunked;q=1', refused],
  ['Transfer-Encoding: "chunked"', refused],
  ["Transfer-Encoding: 'chunked'", refused],
  ['Transfer-Encoding: gzip', refused],
  ['Transfer-Encoding: gzip, chunked', refused],
  ['Transfer-Encoding: cow', refused],
  ['Transfer-Encoding:', refused],
  ['Transfer-Encoding:  ', refused],
  ['Transfer-Encoding: chunked\x00', refused],
  ['Transfer-Encoding: chu\x00nked', refused],
  ['Transfer-Encoding: \x0bchunked', refused],
  ['Transfer-Encoding: chunked\x0c', refused],
  ['Transfer-Encoding: \xa0chunked', either],
  // The Kelvin sign in UTF-8; its lower case is `k`.
  ['Transfer-Encoding: chun\xe2\x84\xaaed', refused],
  ['Transfer-Encoding : chunked', refused],
  ['Transfer-Encoding\t: chunked', refused],
  ['Transfer-Encoding\x00: chunked', refused],
  ['Transfer-Encoding:\r\n chunked', refused],
  ['Transfer-Encoding: \r\n\tchunked', refused],
  ['Transfer-Encoding: chunk\r\n ed', refused],
  ['X-A: b\r\n Transfer-Encoding: chunked', refused],
  ['X-A: b\nTransfer-Encoding: chunked', refused],
  ['X-A: b\rTransfer-Encoding: chunked', refused],
  ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', refused],
  ['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', refused],
  ['Transfer-Encoding: identity\r\nTransfer-Encoding: chunked', refused],
  ['Transfer-Encoding: chunked\r\ntransfer-encoding: cow', refused],
  ['Transfer-Encoding: \r\nTransfer-Encoding: chunked', refused],
  ['Transfer-Encoding: chunked\r\nTransfer-Encoding: ', refused],
];

/**
 * Values of `Content-Length` in a request that also has chunked encoding. The server must refuse such a request. `B` is
 * the length of the whole body after the head, `L` the length before `trap`.
 */
const bothLengths = ['B', '0', '5', 'L', '+B', ''] as const;
const bothEncodings = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: CHUNKED',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\r\n chunked',
  'transfer-encoding: chunked\r\nTransfer-Encoding: x',
] as const;

const printed = (text: string): string => JSON.stringify(text).slice(1, -1);

const alone = ({ post, authorization, inner }: Parts): Variant[] => {
  const auth = authorization.trimEnd();
  return [
    ...lengthSpellings.map(([line, verdict]): Variant => {
      const filled = line.replaceAll('#', String(inner.length));
      const start = head('POST', post, [auth, filled]);
      return { name: printed(line), pieces: [`${start}\r\n${inner}`], verdict };
    }),
    ...encodingSpellings.map(([line, verdict]): Variant => {
      const start = head('POST', post, [auth, line]);
      return { name: printed(line), pieces: [`${start}\r\n${chunked(inner)}`], verdict };
    }),
  ];
};

const both = ({ post, authorization, inner, trap }: Parts): Variant[] =>
  bothLengths.flatMap((length) =>
    bothEncodings.flatMap((encoding): Variant[] => {
      // Measured by `Content-Length`, the body contains the smuggled requests. Measured by chunks, the body is empty
      // and the smuggled requests follow it.
      const body = `0\r\n\r\n${inner}${trap}`;
      const value = length.replace('B', String(body.length)).replace('L', String(body.length - trap.length));
      const size = `Content-Length: ${value}`;
      const auth = authorization.trimEnd();
      return [
        [size, encoding],
        [encoding, size],
      ].map(
        (lines, order): Variant => ({
          name: `${order === 0 ? 'length first' : 'encoding first'}: ${printed(length)} | ${printed(encoding)}`,
          pieces: [`${head('POST', post, [auth, ...lines])}\r\n${body}`],
          verdict: refused,
        }),
      );
    }),
  );

export const lengthVariants = (parts: Parts): Variant[] => [...alone(parts), ...both(parts)];
