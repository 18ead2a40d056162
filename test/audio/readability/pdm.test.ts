/**
 * The readability check reports the bits of a PDM microphone that were sent as samples. It never reports real samples,
 * whatever their level, or noise.
 */
import t from 'tap';
import { findingOfFile } from '../../../src/audio/readability/file-finding.js';
import type { Verdict } from '../../../src/audio/readability/finding.js';
import { judge } from '../../../src/audio/readability/judge.js';
import { looksRight } from '../../../src/audio/readability/quick-look.js';
import { TrialDecoder } from '../../../src/audio/readability/trial.js';
import type { StreamFormat } from '../../../src/wire/stream.js';
import { scene } from '../../support/texts/speech.js';
import { bytesOf, withoutNative } from '../support.js';
import { cut, type Messages, noise, rightSounds, sampleOf } from './readability-streams.js';

const format = (codec: StreamFormat['codec'], sampleRate = 16_000, channels: 1 | 2 = 1): StreamFormat => ({
  codec,
  sampleRate,
  channels,
});

/** One second of speech after a pause, with microphone noise. */
const { pcm: whole } = await scene([0, 1], 200);
const hiss = noise(5);
const speech = whole.slice(0, 16_000).map((sample) => sample + 12 * hiss());
const sounds = rightSounds(whole.slice(3200, 19_200));

/**
 * Zeros and poles of the noise shaping of a fourth-order modulator: Butterworth, with a gain of at most 1.5 at high
 * frequencies.
 */
const fourth = {
  zeros: [-4, 6, -4, 1],
  poles: [-3.194_362_8, 3.892_020_6, -2.135_837_7, 0.444_445_5],
} as const;

interface Modulator {
  /** Bits per second of the modulator. */
  readonly rate: number;
  readonly order?: 2 | 4;
  /** Amplitude of the loudest sample, as a share of full scale. */
  readonly level?: number;
  readonly lowestFirst?: boolean;
}

type Quantise = (value: number) => 1 | -1;

/** Returns a sigma-delta modulator, a function that returns one bit for each value. */
const secondOrder = (): Quantise => {
  let [first, second, bit]: [number, number, 1 | -1] = [0, 0, 1];
  return (value) => {
    first += value - bit;
    second += first - bit;
    bit = second >= 0 ? 1 : -1;
    return bit;
  };
};

const fourthOrder = (): Quantise => {
  const errors = [0, 0, 0, 0];
  const shaped = [0, 0, 0, 0];
  return (value) => {
    let sum = 0;
    for (let tap = 0; tap < 4; tap++)
      sum += fourth.zeros[tap]! * errors[tap]! - fourth.poles[tap]! * shaped[tap]!;
    const bit = value + sum >= 0 ? 1 : -1;
    errors.unshift(bit - value - sum);
    errors.pop();
    shaped.unshift(sum + errors[0]!);
    shaped.pop();
    return bit;
  };
};

/** @param pcm mono 16 kHz. */
const pdm = (
  pcm: Int16Array,
  { rate, order = 2, level = 0.8, lowestFirst = false }: Modulator,
): Uint8Array => {
  const quantise = order === 2 ? secondOrder() : fourthOrder();
  const perSample = rate / 16_000;
  const bytes = new Uint8Array(Math.floor((pcm.length * perSample) / 8));
  for (let index = 0; index < bytes.length * 8; index++) {
    const place = index / perSample;
    const sample = Math.floor(place);
    const before = pcm[sample]!;
    const value = before + ((pcm[sample + 1] ?? before) - before) * (place - sample);
    if (quantise((value / 32_768) * level) > 0)
      bytes[index >> 3]! |= lowestFirst ? 1 << (index & 7) : 128 >> (index & 7);
  }
  return bytes;
};

const messages = (bytes: Uint8Array, rate: number, each = 20): Messages => ({
  frames: cut(bytes, (rate * each) / 8000),
  each,
});

/** Interleaves the bits of two microphones that share a line. */
const inTurn = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(2 * left.length);
  for (let index = 0; index < 8 * left.length; index++) {
    const shift = 7 - (index & 7);
    const pair = (((left[index >> 3]! >> shift) & 1) << 1) | ((right[index >> 3]! >> shift) & 1);
    bytes[index >> 2]! |= pair << (6 - 2 * (index & 3));
  }
  return bytes;
};

interface Microphone {
  readonly title: string;
  readonly sent: Messages;
}

const rates = [512_000, 768_000, 1_024_000, 1_536_000, 2_048_000, 2_400_000, 3_072_000];
const megahertz = pdm(speech, { rate: 1_024_000 });
const reordered = (change: (bytes: Buffer) => Buffer): Uint8Array => change(Buffer.from(megahertz));

const microphones: readonly Microphone[] = [
  ...rates.flatMap((rate) =>
    ([2, 4] as const).map((order) => ({
      title: `${rate} bits a second, order ${order}`,
      sent: messages(pdm(speech, { rate, order }), rate),
    })),
  ),
  {
    title: 'the lowest bit first',
    sent: messages(pdm(speech, { rate: 1_024_000, lowestFirst: true }), 1_024_000),
  },
  {
    title: 'words of 16 bits',
    sent: messages(
      reordered((bytes) => bytes.swap16()),
      1_024_000,
    ),
  },
  {
    title: 'words of 32 bits',
    sent: messages(
      reordered((bytes) => bytes.swap32()),
      1_024_000,
    ),
  },
  { title: 'quiet', sent: messages(pdm(speech, { rate: 1_024_000, level: 0.01 }), 1_024_000) },
  {
    title: 'music',
    sent: messages(pdm(sounds.music!, { rate: 1_024_000, level: 1 }), 1_024_000),
  },
  {
    title: 'two microphones in turn',
    sent: messages(inTurn(megahertz, pdm(speech, { rate: 1_024_000, level: 0.3 })), 2_048_000),
  },
  { title: 'short messages', sent: messages(megahertz, 1_024_000, 2) },
];

let trial: TrialDecoder;
t.before(async () => {
  trial = await TrialDecoder.load(withoutNative === false ? 'native' : 'portable');
});
t.after(() => trial.destroy());

const judged = (declared: StreamFormat, sent: Messages, decodes = 1): Promise<Verdict> =>
  judge(sampleOf(declared, sent, { decodes }), trial);

t.test('detects the bits of a PDM microphone', async (t) => {
  const pcm = [format('pcm16'), format('pcm8', 8000), format('pcm16', 48_000, 2)];
  for (const { title, sent } of microphones) {
    for (const declared of pcm) {
      const name = `${declared.codec} ${declared.sampleRate}: ${title}`;
      t.equal(looksRight(sampleOf(declared, sent)), false, name);
      t.match(
        await judged(declared, sent),
        { decodes: 0, cause: 'codec', likely: { codec: 'pdm' }, remedy: /PDM microphone.*pcm16/ },
        name,
      );
    }
    t.match(await judged(format('opus'), sent, 0), { cause: 'codec', likely: { codec: 'pdm' } }, title);
  }
});

t.test('a recording with such bits fails with that reason', async (t) => {
  const verdict = await judged(format('pcm16'), messages(megahertz, 1_024_000));
  if (typeof verdict === 'string') t.fail(verdict);
  else t.match(findingOfFile(verdict, format('pcm16')), { why: /bits of a PDM/, remedy: /decimate them/ });
});

const isPdm = (verdict: Verdict): boolean => typeof verdict !== 'string' && verdict.likely.codec === 'pdm';

t.test('does not treat alternating sample bits as PDM', async (t) => {
  const shapes: Readonly<Record<string, (index: number) => number>> = {
    constant: () => 1,
    'square wave': (index) => (index % 10 < 5 ? 1 : -1),
    'highest tone': (index) => (index % 2 === 0 ? 1 : -1),
  };
  for (const [shape, wave] of Object.entries(shapes)) {
    for (const level of [0x5555, 0x2aaa, 0x5500, 0x00aa, 0x7fff]) {
      for (const loud of [0, 2, 100, 3000]) {
        const random = noise(level + loud);
        const pcm = Int16Array.from({ length: 33_000 }, (_, index) =>
          Math.max(-32_768, Math.min(32_767, Math.round(level * wave(index) + loud * random()))),
        );
        const name = `${shape} of ${level}, noise of ${loud}`;
        const wide = { frames: cut(bytesOf(pcm), 640), each: 20 };
        t.notOk(isPdm(await judged(format('pcm16'), wide)), name);
        const narrow = {
          frames: cut(
            Uint8Array.from(pcm, (sample) => (sample >> 8) + 128),
            320,
          ),
          each: 20,
        };
        t.notOk(isPdm(await judged(format('pcm8'), narrow)), `${name}, 8 bits`);
      }
    }
  }
});
