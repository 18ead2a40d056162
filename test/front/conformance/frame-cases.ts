/** Frames after an accepted upgrade. */
import type { Area, Case } from './case.js';
import { binary, close, frame, more, Opcode, ping, text } from './frames.js';

const one = (name: string, piece: Uint8Array | readonly Uint8Array[], outcome: Case['outcome']): Case => ({
  name,
  pieces: piece instanceof Uint8Array ? [piece] : piece,
  outcome,
});
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
/** Returns the outcome of a protocol violation: ws closes with the code, and uWebSockets.js cuts the connection. */
const broken = (code: number): Case['outcome'] => ({ uws: 'cut', ws: `close ${code}` });

/** Returns the outcome of an invalid close frame: uWebSockets.js answers with a close frame without a code. */
const wrongClose = (code: number): Case['outcome'] => ({ uws: 'close none', ws: `close ${code}` });

const fragments: Area = {
  title: 'Fragments and frames',
  afterUpgrade: true,
  cases: [
    one('a text', text('hello'), 'text 5'),
    one('an empty text', text(''), 'text 0'),
    one('an audio frame', binary(40), 'audio 40'),
    one('a text in three fragments', [text('he', { fin: false }), more('ll'), more('o', true)], 'text 5'),
    one(
      'a text in three fragments in one TCP segment',
      Buffer.concat([text('he', { fin: false }), more('ll'), more('o', true)]),
      'text 5',
    ),
    one('audio in two fragments', [binary(20, { fin: false }), more(Buffer.alloc(20), true)], 'audio 40'),
    one('a text in three empty fragments', [text('', { fin: false }), more(''), more('', true)], 'text 0'),
    { name: 'a text sent byte by byte', pieces: [text('hello')], outcome: 'text 5', byteByByte: true },
    one(
      'a ping between the fragments of a text',
      [text('he', { fin: false }), ping('mid'), more('llo', true)],
      'pong 3, text 5',
    ),
    one(
      'pings after the first and the second of three fragments of a text',
      [text('a', { fin: false }), ping('1'), more('b'), ping('22'), more('c', true)],
      'pong 1, pong 2, text 3',
    ),
    one(
      'a pong between the fragments of a text',
      [text('a', { fin: false }), frame({ opcode: Opcode.pong, payload: 'x' }), more('b', true)],
      'text 2',
    ),
    one(
      'a close frame between the fragments of a text',
      [text('a', { fin: false }), close(1000)],
      'close 1000',
    ),
    one('two texts in one TCP segment', Buffer.concat([text('a'), text('bb')]), 'text 1, text 2'),
    one('a text of 5 bytes whose length is coded in two bytes', text('hello', { lengthBytes: 2 }), 'text 5'),
    one(
      'a text of 5 bytes whose length is coded in eight bytes',
      text('hello', { lengthBytes: 8 }),
      'text 5',
    ),
    one('a continuation frame without a first frame', more('x', true), broken(1002)),
    one('an empty continuation frame without a first frame', more('', true), broken(1002)),
    one('a continuation frame after a complete text', [text('a'), more('b', true)], {
      uws: 'text 1, cut',
      ws: 'text 1, close 1002',
    }),
    one('a text frame between the fragments of a text', [text('a', { fin: false }), text('b')], broken(1002)),
    one('an audio frame between the fragments of a text', [text('a', { fin: false }), binary(3)], {
      uws: 'audio 4',
      ws: 'close 1002',
    }),
    one(
      'a text frame between the fragments of an audio frame',
      [binary(3, { fin: false }), text('a')],
      broken(1002),
    ),
    one('an unmasked text', text('hello', { masked: false }), broken(1002)),
    one('an unmasked empty text', text('', { masked: false }), { uws: 'text 0, cut', ws: 'close 1002' }),
    one('an unmasked ping', ping('x', { masked: false }), broken(1002)),
    one(
      'a continuation frame with a reserved bit',
      [text('a', { fin: false }), frame({ opcode: Opcode.continuation, payload: 'b', reserved: 4 })],
      broken(1002),
    ),
    one(
      'an HTTP request instead of a frame',
      Buffer.from('GET / HTTP/1.1\r\nHost: cochlea\r\n\r\n'),
      broken(1002),
    ),
    ...[1, 2, 4].map((reserved) =>
      one(`a text with reserved bit ${reserved}`, text('x', { reserved }), broken(1002)),
    ),
    ...[3, 7, 11, 15].map((opcode) =>
      one(`a frame with the reserved opcode ${opcode}`, frame({ opcode, payload: 'x' }), broken(1002)),
    ),
  ],
};

const controls: Area = {
  title: 'Control frames',
  afterUpgrade: true,
  cases: [
    one('an empty ping', ping(''), 'pong 0'),
    one('a ping of 125 bytes', ping('x'.repeat(125)), 'pong 125'),
    one('a ping of 126 bytes', ping('x'.repeat(126)), broken(1002)),
    one('a ping in fragments', ping('x', { fin: false }), broken(1002)),
    one(
      'ten pings in one TCP segment',
      Buffer.concat(Array.from({ length: 10 }, () => ping('x'))),
      'pong 1 (10 times)',
    ),
    one('a ping whose length is in two bytes', ping('x', { lengthBytes: 2 }), broken(1002)),
    one('a ping whose length is in eight bytes', ping('x', { lengthBytes: 8 }), broken(1002)),
    one('a ping whose declared length is 2^63', ping('', { announced: 2n ** 63n }), broken(1002)),
    one('a ping with a reserved bit', ping('x', { reserved: 4 }), broken(1002)),
    one('a pong without an earlier ping', frame({ opcode: Opcode.pong, payload: 'x' }), ''),
    one('a pong of 126 bytes', frame({ opcode: Opcode.pong, payload: 'x'.repeat(126) }), broken(1002)),
    one('a pong in fragments', frame({ opcode: Opcode.pong, payload: 'x', fin: false }), broken(1002)),
  ],
};

const utf8: Area = {
  title: 'UTF-8',
  afterUpgrade: true,
  cases: [
    one('characters of two to four bytes', text('κόσμε 🎧'), 'text 15'),
    one(
      'a character split between fragments',
      [text(bytes(0xe2, 0x82), { fin: false }), more(bytes(0xac), true)],
      'text 3',
    ),
    one(
      'a character in four fragments',
      [text(bytes(0xf0), { fin: false }), more(bytes(0x9f)), more(bytes(0x8e)), more(bytes(0xa7), true)],
      'text 4',
    ),
    one('U+10FFFF', text(bytes(0xf4, 0x8f, 0xbf, 0xbf)), 'text 4'),
    one('U+FFFF, which is not a character', text('\uffff'), 'text 3'),
    one('U+0000', text('\u0000'), 'text 1'),
    one('a byte order mark', text('\ufeffa'), 'text 4'),
    one(
      'an invalid byte in the first of two fragments',
      [text(bytes(0xff), { fin: false }), more('a', true)],
      broken(1007),
    ),
    one(
      'a character that a close frame interrupts',
      [text(bytes(0xe2), { fin: false }), close(1000)],
      'close 1000',
    ),
    one('a byte that never occurs in UTF-8 (0xFF)', text(bytes(0x61, 0xff)), broken(1007)),
    one('an overlong encoding', text(bytes(0xc0, 0xaf)), broken(1007)),
    one('half of a surrogate pair', text(bytes(0xed, 0xa0, 0x80)), broken(1007)),
    one('a code point beyond U+10FFFF', text(bytes(0xf4, 0x90, 0x80, 0x80)), broken(1007)),
    one('a character without its last byte', text(bytes(0xe2, 0x82)), broken(1007)),
    one(
      'bytes that are not UTF-8, sent as audio',
      binary(0, { payload: bytes(0xe2, 0x82, 0xff) }),
      'audio 3',
    ),
  ],
};

const closes: Area = {
  title: 'Close codes',
  afterUpgrade: true,
  cases: [
    one('code 1000', close(1000), 'close 1000'),
    one('code 1000 with a reason', close(1000, 'done'), 'close 1000'),
    one('without a code', frame({ opcode: Opcode.close }), 'close none'),
    one('code 1000 with a reason of 123 bytes', close(1000, 'x'.repeat(123)), 'close 1000'),
    ...[1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 4000, 4999].map((code) =>
      one(`code ${code}`, close(code), `close ${code}`),
    ),
    ...[1012, 1013, 1014, 3000, 3999].map((code) =>
      one(`code ${code}`, close(code), { uws: 'close none', ws: `close ${code}` }),
    ),
    ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map((code) =>
      one(`code ${code}`, close(code), wrongClose(1002)),
    ),
    one('a code of one byte instead of two', frame({ opcode: Opcode.close, payload: 'x' }), wrongClose(1002)),
    one('a reason that is not UTF-8', close(1000, bytes(0xff)), wrongClose(1007)),
    one('a reason of 124 bytes', close(1000, 'x'.repeat(124)), broken(1002)),
    one('in fragments', frame({ opcode: Opcode.close, payload: bytes(3, 232), fin: false }), broken(1002)),
    one(
      'with a reserved bit',
      frame({ opcode: Opcode.close, payload: bytes(3, 232), reserved: 4 }),
      broken(1002),
    ),
    one('unmasked', frame({ opcode: Opcode.close, payload: bytes(3, 232), masked: false }), wrongClose(1002)),
    one('a second close frame after a close frame', Buffer.concat([close(1000), close(1001)]), 'close 1000'),
    one('a ping after a close frame', Buffer.concat([close(1000), ping('x')]), 'close 1000'),
    one('a text after a close frame', Buffer.concat([close(1000), text('late')]), 'close 1000'),
  ],
};

const payload = 1_310_720;
const limits: Area = {
  title: 'Limits',
  afterUpgrade: true,
  cases: [
    one('an audio frame one byte larger than `MAX_CODED_FRAME`', binary(16_385), 'close 1009'),
    one('a text one byte larger than `MAX_IMAGE_CHUNK`', text('x'.repeat(1_048_577)), 'close 1009'),
    one('an audio frame of exactly `MAX_CODED_FRAME`', binary(16_384), 'audio 16384'),
    one('a text of exactly `MAX_IMAGE_CHUNK`', text('x'.repeat(1_048_576)), 'text 1048576'),
    one(
      'a declared length one byte above 1.25 MiB',
      text('', { announced: BigInt(payload + 1) }),
      broken(1009),
    ),
    one('a declared length of 2^62', text('', { announced: 2n ** 62n }), broken(1009)),
    one('a declared length of 2^32', binary(0, { announced: 2n ** 32n }), broken(1009)),
    one('a declared length of 2^64 - 1', binary(0, { announced: 2n ** 64n - 1n }), broken(1009)),
    one('a declared length of 2^63', text('', { announced: 2n ** 63n }), broken(1009)),
    one(
      'fragments of more than 1.25 MiB together',
      [text('x'.repeat(1_000_000), { fin: false }), more('x'.repeat(400_000))],
      broken(1009),
    ),
    one(
      'a text in 5,000 fragments',
      Buffer.concat([
        text('x', { fin: false }),
        ...Array.from({ length: 4998 }, () => more('x')),
        more('x', true),
      ]),
      { uws: 'text 5000', ws: 'close 1008' },
    ),
    one(
      'a text in 20,000 empty fragments',
      Buffer.concat([
        text('', { fin: false }),
        ...Array.from({ length: 19_998 }, () => more('')),
        more('', true),
      ]),
      { uws: 'text 0', ws: 'close 1008' },
    ),
    one(
      '1,000 empty texts in one TCP segment',
      Buffer.concat(Array.from({ length: 1000 }, () => text(''))),
      'text 0 (1000 times)',
    ),
    one('1,000 pings in one TCP segment', Buffer.concat(Array.from({ length: 1000 }, () => ping('x'))), {
      uws: 'pong 1 (1000 times)',
      ws: 'cut',
    }),
  ],
};

export const frameAreas: readonly Area[] = [fragments, controls, utf8, closes, limits];
