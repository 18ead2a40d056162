import fc from 'fast-check';
import t from 'tap';
import { readWav } from '../../src/audio/wav/read.js';
import { CochleaError } from '../../src/errors/cochlea-error.js';

interface Parts {
  readonly tag: number;
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
  readonly data: Uint8Array;
  /** Chunks between the file header and the format chunk. */
  readonly before?: Uint8Array;
  readonly dataLength?: number;
  readonly extensible?: boolean;
}

const wav = ({ tag, channels, rate, bits, data, before, dataLength, extensible }: Parts): Buffer => {
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? 0xfffe : tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE((rate * channels * bits) / 8, 8);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  if (extensible) format.writeUInt16LE(tag, 24);
  const chunk = (name: string, body: Uint8Array, length = body.length): Buffer => {
    const head = Buffer.alloc(8);
    head.write(name, 0, 'latin1');
    head.writeUInt32LE(length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
  };
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    before ? chunk('LIST', before) : Buffer.alloc(0),
    chunk('fmt ', format),
    chunk('data', data, dataLength),
  ]);
  return Buffer.concat([Buffer.from('RIFF'), Buffer.from(Uint32Array.of(body.length).buffer), body]);
};

const samples = (...values: number[]): Uint8Array => new Uint8Array(Int16Array.from(values).buffer);

t.test('reads the WAV variants that recorders write', async (t) => {
  const cases: readonly (readonly [string, Parts, number[]])[] = [
    [
      '16 bits',
      { tag: 1, channels: 1, rate: 16_000, bits: 16, data: samples(1, -2, 32_767) },
      [1, -2, 32_767],
    ],
    [
      '8 bits',
      { tag: 1, channels: 1, rate: 8000, bits: 8, data: Uint8Array.of(128, 0, 255) },
      [0, -32_768, 32_512],
    ],
    [
      '24 bits',
      { tag: 1, channels: 1, rate: 48_000, bits: 24, data: Uint8Array.of(9, 1, 0, 9, 0, 0x80) },
      [1, -32_768],
    ],
    [
      'float',
      {
        tag: 3,
        channels: 1,
        rate: 44_100,
        bits: 32,
        data: new Uint8Array(Float32Array.of(0.5, -2, Number.NaN).buffer),
      },
      [16_384, -32_768, 0],
    ],
    [
      'stereo is averaged',
      { tag: 1, channels: 2, rate: 16_000, bits: 16, data: samples(10, 20, -4, 4) },
      [15, 0],
    ],
    [
      'an odd chunk before',
      { tag: 1, channels: 1, rate: 16_000, bits: 16, data: samples(7), before: Uint8Array.of(1, 2, 3) },
      [7],
    ],
    ['extensible', { tag: 1, channels: 1, rate: 16_000, bits: 16, data: samples(5), extensible: true }, [5]],
    [
      'a length beyond the file',
      { tag: 1, channels: 1, rate: 16_000, bits: 16, data: samples(5, 6), dataLength: 0xffffffff },
      [5, 6],
    ],
  ];
  for (const [name, parts, expected] of cases) {
    const { pcm, rate } = readWav(wav(parts), 'x.wav');
    t.same([...pcm], expected, name);
    t.equal(rate, parts.rate, name);
  }
});

t.test('refuses invalid files and names the file', async (t) => {
  const good: Parts = { tag: 1, channels: 1, rate: 16_000, bits: 16, data: samples(1) };
  for (const [name, bytes] of [
    ['empty', Buffer.alloc(0)],
    ['not RIFF', Buffer.from('OggS and more than twelve bytes')],
    ['compressed', wav({ ...good, tag: 17, bits: 4 })],
    ['no channels', wav({ ...good, channels: 0 })],
    ['an absurd rate', wav({ ...good, rate: 1 })],
    ['no samples', wav(good).subarray(0, 36)],
  ] as const) {
    t.throws(
      () => readWav(bytes, 'x.wav'),
      { code: 'audio_file_unsupported', details: { path: 'x.wav' } },
      name,
    );
  }
});

t.test('survives any bytes', async (t) => {
  const header = wav({ tag: 1, channels: 2, rate: 16_000, bits: 16, data: samples(1, 2, 3, 4) });
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 6 }),
      (tail, changes) => {
        const bytes = Buffer.concat([header, tail]);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const { pcm } = readWav(bytes, 'x.wav');
          return pcm.length <= bytes.length;
        } catch (error) {
          return error instanceof CochleaError && error.code === 'audio_file_unsupported';
        }
      },
    ),
    { numRuns: 500 },
  );
  t.pass('500 mutated files');
});
