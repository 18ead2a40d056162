import fc from 'fast-check';
import t from 'tap';
import { packetSamples } from '../../src/audio/ogg/opus-packet.js';
import { readOggOpus } from '../../src/audio/ogg/read.js';
import { CochleaError } from '../../src/errors/index.js';

/** One page; `lacing` is given so that tests can split packets over pages. */
const page = (serial: number, lacing: readonly number[], body: Uint8Array, flags = 0): Buffer => {
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head[5] = flags;
  head.writeUInt32LE(serial, 14);
  head[26] = lacing.length;
  return Buffer.concat([head, Buffer.from(lacing), body]);
};

const lacingOf = (length: number): number[] => [
  ...Array.from({ length: Math.floor(length / 255) }, () => 255),
  length % 255,
];

const whole = (serial: number, ...packets: Uint8Array[]): Buffer =>
  page(
    serial,
    packets.flatMap(({ length }) => lacingOf(length)),
    Buffer.concat(packets),
  );

const head = (channels = 1): Buffer => {
  const bytes = Buffer.alloc(19);
  bytes.write('OpusHead', 0, 'latin1');
  bytes[8] = 1;
  bytes[9] = channels;
  return bytes;
};
const tags = Buffer.from('OpusTags and whatever else');
/** SILK wide-band, 20 ms, one frame: TOC 0x48. */
const packet = (length: number, fill = 1): Buffer =>
  Buffer.concat([Buffer.of(0x48), Buffer.alloc(length - 1, fill)]);

t.test('length of a packet by its first bytes', async (t) => {
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

t.test('reads packets, also over page borders, of one stream only', async (t) => {
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

t.test('what takes time and is no audio is bounded', async (t) => {
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

t.test('refuses what is not Ogg Opus', async (t) => {
  for (const [name, bytes] of [
    ['empty', Buffer.alloc(0)],
    ['not Ogg', Buffer.alloc(64, 1)],
    ['Vorbis', whole(7, Buffer.from('\x01vorbis and the rest of its header'))],
    ['six channels', Buffer.concat([whole(7, head(6)), whole(7, tags)])],
  ] as const) {
    t.throws(() => readOggOpus(bytes, 'x.ogg'), { code: 'audio_file_unsupported' }, name);
  }
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
