import fc from 'fast-check';
import t from 'tap';
import { packetSamples } from '../../../src/audio/ogg/opus-packet.js';
import { OpusReader } from '../../../src/audio/ogg/opus-reader.js';
import { readOggOpus } from '../../../src/audio/ogg/read.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import {
  fullPage,
  opusHead as head,
  lacingOf,
  page,
  repeatedPages,
  opusTags as tags,
  whole,
} from '../../support/texts/ogg-pages.js';

/** Returns an Opus packet: SILK wide-band, 20 ms, one frame (TOC byte 0x48). */
const packet = (length: number, fill = 1): Buffer =>
  Buffer.concat([Buffer.of(0x48), Buffer.alloc(length - 1, fill)]);

t.test('computes the length of a packet from its first bytes', async (t) => {
  for (const [bytes, rate, expected] of [
    [[0x48], 16_000, 320],
    [[0x40], 16_000, 160],
    [[0x58], 16_000, 960],
    [[0xf8], 48_000, 960],
    [[0xe0], 48_000, 120],
    [[0x49, 0], 16_000, 640],
    [[0x4b, 6], 1000, 120],
    [[0x4b, 7], 1000, 0],
    [[], 48_000, 0],
  ] as const) {
    t.equal(packetSamples(Uint8Array.from(bytes), rate), expected, `${bytes} at ${rate}`);
  }
});

t.test('reads packets of one stream, also across page borders', async (t) => {
  const long = packet(600, 3);
  const first = [255, 255];
  const file = Buffer.concat([
    whole(7, head(2)),
    whole(7, tags),
    whole(8, Buffer.from('another stream')),
    whole(7, packet(40), packet(255)),
    page(7, first, long.subarray(0, 510)),
    page(7, [90], long.subarray(510), 0x01),
    whole(7, packet(10)).subarray(0, -2),
  ]);
  const { packets, channels } = readOggOpus(file, 'x.ogg');
  t.equal(channels, 2);
  t.same(
    packets.map(({ length }) => length),
    [40, 255, 600],
    'the last packet is cut short and left out',
  );
  t.same(Buffer.from(packets[2]!), long);
});

t.test('reads tags that span pages', async (t) => {
  const picture = Buffer.concat([tags, Buffer.alloc(70_000)]);
  const cut = 255 * 255;
  const file = Buffer.concat([
    whole(7, head()),
    page(
      7,
      Array.from({ length: 255 }, () => 255),
      picture.subarray(0, cut),
    ),
    page(7, lacingOf(picture.length - cut), picture.subarray(cut), 0x01),
    whole(7, packet(30)),
  ]);
  t.equal(readOggOpus(file, 'x.ogg').packets.length, 1);
});

t.test('limits data that costs time but contains no audio', async (t) => {
  const none = Buffer.alloc(0);
  const file = (pages: number, one: Buffer): Buffer =>
    Buffer.concat([
      whole(7, head()),
      whole(7, tags),
      ...Array<Buffer>(pages).fill(one),
      whole(7, packet(30)),
    ]);
  for (const [name, one] of [
    ['pages without a packet', page(7, [], none)],
    ['pages of another stream', page(8, Array<number>(255).fill(0), none)],
    ['pages of a packet that goes on', page(7, [255], Buffer.alloc(255), 0x01)],
  ] as const) {
    t.throws(() => readOggOpus(file(1100, one), 'x.ogg', 100), { message: /it is too long/ }, name);
    t.ok(readOggOpus(file(900, one), 'x.ogg', 100), `some ${name}`);
  }
  const comments = Buffer.alloc(8 + 4 + 4 + 4 * 5000);
  comments.write('OpusTags');
  comments.writeUInt32LE(5000, 12);
  const commented = Buffer.concat([whole(7, head()), whole(7, comments), whole(7, packet(30))]);
  t.equal(readOggOpus(commented, 'x.ogg').comments.length, 1000, 'comments');
});

t.test('refuses files that are not Ogg Opus', async (t) => {
  for (const [name, bytes] of [
    ['empty', Buffer.alloc(0)],
    ['not Ogg', Buffer.alloc(64, 1)],
    ['Vorbis', whole(7, Buffer.from('\x01vorbis and the rest of its header'))],
    ['six channels', Buffer.concat([whole(7, head(6)), whole(7, tags)])],
  ] as const) {
    t.throws(() => readOggOpus(bytes, 'x.ogg'), { code: 'audio_file_unsupported' }, name);
  }
});

t.test('refuses a file of empty packets after the first one', async (t) => {
  const empty = fullPage(0);
  const reader = new OpusReader('x.ogg');
  t.throws(() => reader.read(repeatedPages(empty, 800_000)), { message: /most of its packets are empty/ });
  t.ok(reader.counted < 1000, `it counts ${reader.counted} ms`);
  const pause = page(7, [1, 0, 1], Buffer.alloc(2, 0x48));
  const { packets } = readOggOpus(repeatedPages(pause, 30_000), 'x.ogg');
  t.equal(packets.length, 2 * Math.ceil(30_000 / pause.length), 'packets of one byte are pauses, and audio');
});

t.test('reads the same from a file in pieces', async (t) => {
  const long = packet(600, 3);
  const file = Buffer.concat([
    whole(7, head(2)),
    whole(7, tags),
    page(7, [255, 255], long.subarray(0, 510)),
    whole(8, packet(99)),
    page(7, [90], long.subarray(510), 0x01),
    whole(7, packet(40), packet(255), packet(1)),
  ]);
  const { packets: expected } = readOggOpus(file, 'x.ogg');
  t.same(
    expected.map(({ length }) => length),
    [600, 40, 255, 1],
  );
  fc.assert(
    fc.property(fc.array(fc.nat(file.length), { maxLength: 40 }), (cuts) => {
      const reader = new OpusReader('x.ogg');
      const packets: Buffer[] = [];
      const places = [0, ...cuts.sort((one, other) => one - other), file.length];
      for (let at = 1; at < places.length; at++) {
        // The reader may reuse a piece's memory for the next piece, so each piece is a copy.
        const piece = Buffer.from(file.subarray(places[at - 1], places[at]));
        packets.push(...reader.read(piece).map((one) => Buffer.from(one)));
        piece.fill(0xff);
      }
      const { channels, packets: last } = reader.end();
      packets.push(...last.map((one) => Buffer.from(one)));
      t.equal(channels, 2);
      return Buffer.concat(packets).equals(Buffer.concat(expected)) && packets.length === expected.length;
    }),
    { numRuns: 300 },
  );
});

t.test('survives any bytes', async (t) => {
  const good = Buffer.concat([whole(7, head()), whole(7, tags), whole(7, packet(300), packet(20))]);
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      fc.array(fc.tuple(fc.nat(500), fc.nat(255)), { maxLength: 6 }),
      (tail, changes) => {
        const bytes = Buffer.concat([good, tail]);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        try {
          return readOggOpus(bytes, 'x.ogg').packets.every(({ length }) => length > 0);
        } catch (error) {
          return error instanceof CochleaError && error.code === 'audio_file_unsupported';
        }
      },
    ),
    { numRuns: 500 },
  );
  t.pass('500 mutated files');
});

t.test('does not copy an endless header again for each piece', async (t) => {
  const piece = 16_384;
  const timeOf = (serial: number): number => {
    const full = page(serial, Array<number>(255).fill(255), Buffer.alloc(255 * 255), 0x01);
    const reader = new OpusReader('x.ogg');
    reader.read(whole(7, head()));
    const before = process.cpuUsage();
    for (let index = 0; index < 300; index++) {
      for (let at = 0; at < full.length; at += piece) reader.read(full.subarray(at, at + piece));
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  timeOf(8);
  const skipped = Math.max(timeOf(8), 20_000);
  t.ok(timeOf(7) < 5 * skipped, 'it takes about as long as pages of another stream');
});
