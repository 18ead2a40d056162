/**
 * Checks samples of streams. A stream in another format than declared is reported with its real format. Valid audio is never reported,
 * however noisy, quiet or musical.
 */
import fc from 'fast-check';
import t from 'tap';
import type { Finding, Verdict } from '../../../src/audio/readability/finding.js';
import { judge } from '../../../src/audio/readability/judge.js';
import { looksRight } from '../../../src/audio/readability/quick-look.js';
import { TrialDecoder } from '../../../src/audio/readability/trial.js';
import { codecs, type StreamFormat } from '../../../src/wire/stream.js';
import { fixtureUtterances, scene } from '../../support/texts/speech.js';
import { bytesOf, withoutNative } from '../support.js';
import { encodeAac, encodeLc3, hasTool } from '../tools.js';
import {
  at,
  behind,
  cut,
  type Messages,
  mulaw,
  noise,
  opus,
  pcm8,
  pcm16,
  recordedAac,
  recordedLc3,
  rightSounds,
  sampleOf,
} from './readability-streams.js';

const core = withoutNative === false ? 'native' : 'portable';
const format = (codec: StreamFormat['codec'], sampleRate = 16_000, channels: 1 | 2 = 1): StreamFormat => ({
  codec,
  sampleRate,
  channels,
});

/** Speech without a pause at the beginning. */
const { pcm: whole } = await scene([0, 1], 200);
const speech = whole.slice(3200);

const needsNative = withoutNative && `the codec needs the native core: ${withoutNative}`;

interface Wrong {
  readonly title: string;
  readonly declared: StreamFormat;
  readonly sent: Messages;
  readonly cause: Finding['cause'];
  readonly likely: Finding['likely'];
  /** Reason why this machine skips the case, or false. */
  readonly skip?: string | false;
}

const swapped = (pcm: Int16Array): Uint8Array => Buffer.from(bytesOf(pcm)).swap16();
const unsigned = (pcm: Int16Array): Uint8Array =>
  new Uint8Array(Uint16Array.from(pcm, (sample) => sample + 32_768).buffer);
const floats = (pcm: Int16Array): Uint8Array =>
  new Uint8Array(Float32Array.from(pcm, (sample) => sample / 32_768).buffer);
const stereo = (pcm: Int16Array): Int16Array =>
  Int16Array.from({ length: 2 * pcm.length }, (_, index) => (index % 2 === 0 ? 1 : 0.6) * pcm[index >> 1]!);
/** Encodes 4-bit IMA ADPCM samples in bytes without a header. */
const adpcm = (pcm: Int16Array): Uint8Array => {
  const bytes = new Uint8Array(pcm.length >> 1);
  let value = 0;
  let step = 7;
  for (let index = 0; index < bytes.length * 2; index++) {
    const difference = pcm[index]! - value;
    const size = Math.min(7, Math.floor((Math.abs(difference) * 4) / step));
    const code = (difference < 0 ? 8 : 0) | size;
    value += (Math.sign(difference) * (2 * size + 1) * step) / 8;
    // Each step of the standard's table is about a tenth larger than the step before.
    step = Math.min(32_767, Math.max(7, step * 1.1 ** (size < 4 ? -1 : 2 * (size - 3))));
    bytes[index >> 1]! |= code << (4 * (index & 1));
  }
  return bytes;
};
const counter = (index: number): readonly number[] => [index & 255, index >> 8, 0];
const lengthOf =
  ({ frames }: Messages) =>
  (index: number): readonly number[] => [frames[index]!.length & 255, frames[index]!.length >> 8];

/** Puts the length before each frame. @param bytes number of bytes of the length. @param big whether it is big-endian. */
const prefixed = (sent: Messages, bytes: number, big: boolean): Messages =>
  behind(sent, (index) => {
    const length = Buffer.alloc(bytes);
    if (big) length.writeUIntBE(sent.frames[index]!.length, 0, bytes);
    else length.writeUIntLE(sent.frames[index]!.length, 0, bytes);
    return [...length];
  });

const packets = opus(speech);
const lc3 = recordedLc3();
const aac = recordedAac();
const page = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(80, 7)]);
const wav = (rate: number): Uint8Array => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  return head;
};
const before = (first: Uint8Array, { frames, each }: Messages): Messages => ({
  frames: [Buffer.concat([first, frames[0]!]), ...frames.slice(1)],
  each,
});
const grouped = ({ frames, each }: Messages, count: number): Messages => ({
  frames: Array.from({ length: Math.floor(frames.length / count) }, (_, index) =>
    Buffer.concat(frames.slice(index * count, (index + 1) * count)),
  ),
  each: each * count,
});

type WideForm = 's24le' | 's24be' | 's32le' | 's32be' | 'f32be' | 'f64le' | 'f64be';
/** Encodes samples with more than 16 bits. @param fine scale of the random part below the lowest of the 16 bits. */
const wide = (pcm: Int16Array, form: WideForm, fine = 1): Uint8Array => {
  const width = Number(form.slice(1, 3)) / 8;
  const bytes = Buffer.alloc(pcm.length * width);
  const random = noise(17);
  for (const [index, sample] of pcm.entries()) {
    const value = sample + ((random() + 1) / 2) * fine;
    const place = index * width;
    const whole = Math.floor(value * 256 ** (width - 2));
    if (form === 's24le' || form === 's32le') bytes.writeIntLE(whole, place, width);
    else if (form === 's24be' || form === 's32be') bytes.writeIntBE(whole, place, width);
    else if (form === 'f32be') bytes.writeFloatBE(value / 32_768, place);
    else if (form === 'f64le') bytes.writeDoubleLE(value / 32_768, place);
    else bytes.writeDoubleBE(value / 32_768, place);
  }
  return bytes;
};

const quiet = speech.map((sample) => sample / 100);
const encoded = (frame: Uint8Array, text: 'hex' | 'HEX' | 'hex in lines' | 'base64'): Uint8Array => {
  const bytes = Buffer.from(frame);
  if (text === 'base64') return Buffer.from(bytes.toString('base64'));
  const digits = bytes.toString('hex');
  if (text === 'hex') return Buffer.from(digits);
  return Buffer.from(text === 'HEX' ? digits.toUpperCase() : `${digits.match(/.{1,4}/g)!.join(' ')}\n`);
};

/** Divides the bytes of all messages into messages of varied length. */
const uneven = ({ frames, each }: Messages): Messages => {
  const bytes = Buffer.concat(frames);
  const mean = frames[0]!.length;
  const cuts: Uint8Array[] = [];
  for (let at = 0; at + 2 * mean <= bytes.length; at += cuts.at(-1)!.length)
    cuts.push(bytes.subarray(at, at + mean + 2 * ((cuts.length * 7) % 11) - 10));
  return { frames: cuts, each };
};

const wrong: readonly Wrong[] = [
  ...(['opus', 'opus_fs320', 'pcm8', 'lc3', 'aac', 'lc3_fs1030'] as const).map((codec) => ({
    title: 'pcm16',
    declared: format(codec),
    sent: pcm16(speech, 16_000),
    cause: 'codec' as const,
    likely: { codec: 'pcm16' as const },
    skip: (codec.startsWith('lc3') || codec === 'aac') && needsNative,
  })),
  ...(['pcm8', 'pcm16', 'lc3', 'aac', 'lc3_fs1030'] as const).map((codec) => ({
    title: 'opus',
    declared: format(codec),
    sent: packets,
    cause: 'codec' as const,
    likely: { codec: 'opus' as const },
    skip: (codec.startsWith('lc3') || codec === 'aac') && needsNative,
  })),
  ...(['pcm8', 'pcm16', 'opus', 'aac'] as const).map((codec) => ({
    title: 'lc3',
    declared: format(codec),
    sent: lc3,
    cause: 'codec' as const,
    likely: { codec: 'lc3' as const },
    skip: needsNative,
  })),
  ...(['pcm8', 'pcm16', 'opus', 'lc3', 'lc3_fs1030'] as const).map((codec) => ({
    title: 'aac',
    declared: format(codec),
    sent: aac,
    cause: 'codec' as const,
    likely: { codec: 'aac' as const },
    skip: codec.startsWith('lc3') && needsNative,
  })),
  {
    title: 'pcm16 in long messages',
    declared: format('opus'),
    sent: pcm16(speech, 16_000, 100),
    cause: 'codec',
    likely: { codec: 'pcm16' },
  },
  {
    title: 'pcm16 by default',
    declared: format('pcm8', 8000),
    sent: pcm16(speech, 16_000),
    cause: 'codec',
    likely: { codec: 'pcm16', sampleRate: 16_000 },
  },
  {
    title: 'pcm8',
    declared: format('pcm16'),
    sent: pcm8(at(speech, 8000), 8000),
    cause: 'codec',
    likely: { codec: 'pcm8', sampleRate: 8000 },
  },
  {
    title: 'pcm8',
    declared: format('opus'),
    sent: pcm8(at(speech, 8000), 8000),
    cause: 'codec',
    likely: { codec: 'pcm8', sampleRate: 8000 },
  },
  {
    title: 'big-endian samples',
    declared: format('pcm16'),
    sent: { frames: cut(swapped(speech), 640), each: 20 },
    cause: 'codec',
    likely: { codec: 's16be', sampleRate: 16_000 },
  },
  {
    title: 'unsigned samples',
    declared: format('pcm16'),
    sent: { frames: cut(unsigned(speech), 640), each: 20 },
    cause: 'codec',
    likely: { codec: 'u16le', sampleRate: 16_000 },
  },
  ...[20, 500].map((each) => ({
    title: `a WAV file in each message of ${each} ms`,
    declared: format('pcm16'),
    sent: behind(pcm16(speech, 16_000, each), () => [...wav(16_000)]),
    cause: 'container' as const,
    likely: { container: 'wav' },
  })),
  {
    title: 'ADPCM',
    declared: format('pcm16'),
    sent: { frames: cut(adpcm(speech), 160), each: 20 },
    cause: 'unknown',
    likely: {},
  },
  ...([16_000, 8000] as const).map((rate) => ({
    title: `ADPCM of ${rate} Hz`,
    declared: format('pcm8', 8000),
    sent: { frames: cut(adpcm(at(speech, rate)), 160), each: (20 * 16_000) / rate },
    cause: 'unknown' as const,
    likely: {},
  })),
  {
    title: 'floating point',
    declared: format('pcm16'),
    sent: { frames: cut(floats(speech), 1280), each: 20 },
    cause: 'codec',
    likely: { codec: 'f32le', sampleRate: 16_000 },
  },
  ...(['opus', 'pcm8', 'pcm16'] as const).flatMap((codec) =>
    (['s24le', 's24be', 's32le', 's32be', 'f32be', 'f64le', 'f64be'] as const).map((form) => ({
      title: `${form} with real low bits`,
      declared: format(codec),
      sent: { frames: cut(wide(speech, form), (320 * Number(form.slice(1, 3))) / 8), each: 20 },
      cause: 'codec' as const,
      likely: { codec: form, sampleRate: 16_000 },
    })),
  ),
  ...(['f64le', 'f64be'] as const).map((form) => ({
    title: `${form} made of 16 bits`,
    declared: format('pcm16'),
    sent: { frames: cut(wide(speech, form, 0), 2560), each: 20 },
    cause: 'codec' as const,
    likely: { codec: form, sampleRate: 16_000 },
  })),
  {
    title: 'mu-law',
    declared: format('pcm8', 8000),
    sent: { frames: cut(mulaw(at(speech, 8000)), 160), each: 20 },
    cause: 'codec',
    likely: { codec: 'mulaw', sampleRate: 8000 },
  },
  ...(
    [
      [16_000, 8000],
      [16_000, 44_100],
      [16_000, 48_000],
      [8000, 16_000],
      [8000, 48_000],
      [48_000, 16_000],
      [48_000, 8000],
    ] as const
  ).map(([rate, real]) => ({
    title: `${real} Hz`,
    declared: format('pcm16', rate),
    sent: pcm16(at(speech, real), real),
    cause: 'sample_rate' as const,
    likely: { sampleRate: real },
  })),
  {
    title: 'pcm8 of 16 kHz',
    declared: format('pcm8', 8000),
    sent: pcm8(speech, 16_000),
    cause: 'sample_rate',
    likely: { sampleRate: 16_000 },
  },
  {
    title: 'stereo',
    declared: format('pcm16'),
    sent: { frames: cut(bytesOf(stereo(speech)), 1280), each: 20 },
    cause: 'channels',
    likely: { channels: 2 },
  },
  {
    title: 'mono',
    declared: format('pcm16', 16_000, 2),
    sent: pcm16(speech, 16_000),
    cause: 'channels',
    likely: { channels: 1 },
  },
  {
    title: 'three bytes of a radio before each packet',
    declared: format('opus'),
    sent: behind(packets, counter),
    cause: 'header',
    likely: { headerBytes: 3 },
  },
  {
    title: 'four bytes that are always the same',
    declared: format('opus'),
    sent: behind(packets, () => [0x48, 0x0b, 1, 2]),
    cause: 'header',
    likely: { headerBytes: 4 },
  },
  {
    title: 'three bytes of a radio before each frame',
    declared: format('lc3'),
    sent: behind(lc3, counter),
    cause: 'header',
    likely: { headerBytes: 3 },
    skip: needsNative,
  },
  {
    title: 'three bytes of a radio before each frame',
    declared: format('aac'),
    sent: behind(aac, counter),
    cause: 'header',
    likely: { headerBytes: 3 },
    skip: needsNative,
  },
  {
    title: 'three bytes of a radio before the samples',
    declared: format('pcm16'),
    sent: behind(pcm16(speech, 16_000), counter),
    cause: 'header',
    likely: { headerBytes: 3 },
  },
  {
    title: 'four bytes of a radio before the samples',
    declared: format('pcm16'),
    sent: behind(pcm16(speech, 16_000), (index) => [...counter(index), 1]),
    cause: 'header',
    likely: { headerBytes: 4 },
  },
  {
    title: 'three bytes of a radio before the samples',
    declared: format('pcm8', 8000),
    sent: behind(pcm8(at(speech, 8000), 8000), counter),
    cause: 'header',
    likely: { headerBytes: 3 },
  },
  {
    title: 'a length before each packet',
    declared: format('opus'),
    sent: behind(packets, lengthOf(packets)),
    cause: 'framing',
    likely: { headerBytes: 2 },
  },
  ...([1, 2, 4] as const).flatMap((bytes) =>
    [true, false].map((big) => ({
      title: `a length of ${bytes} bytes, ${big ? 'big' : 'little'}-endian`,
      declared: format('opus'),
      sent: prefixed(packets, bytes, big),
      cause: 'framing' as const,
      likely: { headerBytes: bytes },
    })),
  ),
  ...([2, 4] as const).flatMap((bytes) =>
    [true, false].map((big) => ({
      title: `a length of ${bytes} bytes, ${big ? 'big' : 'little'}-endian, before samples`,
      declared: format('pcm16'),
      sent: prefixed(pcm16(speech, 16_000, 100), bytes, big),
      cause: 'header' as const,
      likely: { headerBytes: bytes },
    })),
  ),
  {
    title: 'a length before samples in messages of any length',
    declared: format('pcm16'),
    sent: prefixed(uneven(pcm16(speech, 16_000)), 2, true),
    cause: 'header',
    likely: { headerBytes: 2 },
  },
  ...(
    [
      [10, 2],
      [10, 3],
      [10, 4],
      [20, 2],
      [20, 3],
      [40, 2],
    ] as const
  ).map(([each, count]) => ({
    title: `${count} packets of ${each} ms without lengths`,
    declared: format('opus'),
    sent: grouped(opus(speech, each), count),
    cause: 'framing' as const,
    likely: { framesInMessage: count },
  })),
  {
    title: 'two packets of a high bit rate without lengths',
    declared: format('opus'),
    sent: grouped(opus(speech, 20, 64_000), 2),
    cause: 'framing',
    likely: { framesInMessage: 2 },
  },
  {
    title: 'two packets with their lengths',
    declared: format('opus'),
    sent: grouped(prefixed(packets, 2, true), 2),
    cause: 'framing',
    likely: { headerBytes: 2 },
  },
  ...[true, false].map((big) => ({
    title: `a length of 2 bytes, ${big ? 'big' : 'little'}-endian`,
    declared: format('lc3'),
    sent: prefixed(lc3, 2, big),
    cause: 'framing' as const,
    likely: { headerBytes: 2 },
    skip: needsNative,
  })),
  {
    title: 'a length of 2 bytes, big-endian',
    declared: format('aac'),
    sent: prefixed(aac, 2, true),
    cause: 'framing',
    likely: { headerBytes: 2 },
    skip: needsNative,
  },
  {
    title: 'four frames in a message',
    declared: format('lc3_fs1030'),
    sent: grouped(lc3, 4),
    cause: 'framing',
    likely: { framesInMessage: 4 },
    skip: needsNative,
  },
  {
    title: 'three frames in a message',
    declared: format('aac'),
    sent: grouped(aac, 3),
    cause: 'framing',
    likely: { framesInMessage: 3 },
    skip: needsNative,
  },
  {
    title: 'packets in two messages each',
    declared: format('opus'),
    sent: {
      frames: packets.frames.flatMap((packet) => [packet.subarray(0, 24), packet.subarray(24)]),
      each: 10,
    },
    cause: 'framing',
    likely: {},
  },
  ...(['opus', 'pcm16'] as const).map((codec) => ({
    title: 'base64',
    declared: format(codec),
    sent: {
      frames: packets.frames.map((packet) => Buffer.from(Buffer.from(packet).toString('base64'))),
      each: 20,
    },
    cause: 'container' as const,
    likely: { container: 'text' },
  })),
  ...(['opus', 'pcm16', 'pcm8', 'lc3'] as const).flatMap((codec) =>
    (['hex', 'HEX', 'hex in lines', 'base64'] as const).flatMap((text) =>
      [
        { of: 'samples', sent: pcm16(speech, 16_000) },
        { of: 'quiet samples', sent: pcm16(quiet, 16_000) },
        { of: 'samples of 8 bits', sent: pcm8(at(speech, 8000), 8000) },
        { of: 'packets', sent: packets },
      ].map(({ of, sent }) => ({
        title: `${text} of ${of}`,
        declared: format(codec),
        sent: { ...sent, frames: sent.frames.map((frame) => encoded(frame, text)) },
        cause: 'container' as const,
        likely: { container: 'text' },
        skip: codec === 'lc3' && needsNative,
      })),
    ),
  ),
  {
    title: 'an Ogg file',
    declared: format('opus'),
    sent: { frames: new Array<Uint8Array>(40).fill(page), each: 20 },
    cause: 'container',
    likely: { container: 'ogg' },
  },
  {
    title: 'a WebM file',
    declared: format('pcm16'),
    sent: before(Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3), packets),
    cause: 'container',
    likely: { container: 'webm' },
  },
  {
    title: 'a WAV header of another rate',
    declared: format('pcm16'),
    sent: before(wav(44_100), pcm16(at(speech, 44_100), 44_100)),
    cause: 'sample_rate',
    likely: { sampleRate: 44_100 },
  },
  {
    title: 'bytes that are nothing',
    declared: format('opus'),
    sent: {
      frames: Array.from({ length: 120 }, (_, index) => Uint8Array.from({ length: 80 }, noiseBytes(index))),
      each: 20,
    },
    cause: 'unknown',
    likely: {},
  },
];

function noiseBytes(seed: number): () => number {
  const random = noise(seed + 1);
  return () => (random() + 1) * 128;
}

let trial: TrialDecoder;
t.before(async () => {
  trial = await TrialDecoder.load(core);
});
t.after(() => trial.destroy());

/** Returns the share of frames that the stream's own decoder accepts, as the shard would count them. */
const decodesOf = async (declared: StreamFormat, { frames }: Messages, decoder = trial): Promise<number> => {
  if (declared.codec.startsWith('pcm')) return 1;
  const own = await decoder.run(declared, frames);
  return own === null ? 0 : own.decoded / Math.max(1, own.decoded + own.invalid);
};

t.test('detects a wrongly declared format', async (t) => {
  for (const { title, declared, sent, cause, likely, skip = false } of wrong) {
    const { codec, sampleRate, channels } = declared;
    t.test(`${codec} ${sampleRate} ${channels}: detects ${title}`, { skip }, async (t) => {
      const sample = sampleOf(declared, sent, { decodes: await decodesOf(declared, sent) });
      t.equal(looksRight(sample), false, 'not right at first sight');
      const verdict = await judge(sample, trial);
      if (typeof verdict === 'string') {
        t.fail(verdict);
        return;
      }
      const { decodes, remedy, ...found } = verdict;
      t.same(found, { cause, likely });
      t.match(remedy, /^[A-Z].*\.$/, 'whole sentences say what to change');
      t.ok(decodes >= 0 && decodes <= 1);
    });
  }
});

const portable = ['opus: pcm16', 'pcm16: opus', 'pcm16: 8000 Hz', 'pcm16: 48000 Hz'];

t.test('the portable core finds the same', async (t) => {
  const decoder = await TrialDecoder.load('portable');
  t.teardown(() => decoder.destroy());
  const cases = portable.map(
    (name) => wrong.find(({ declared, title }) => `${declared.codec}: ${title}` === name)!,
  );
  for (const { title, declared, sent, cause, likely } of cases) {
    const sample = sampleOf(declared, sent, { decodes: await decodesOf(declared, sent, decoder) });
    t.match(await judge(sample, decoder), { cause, likely }, `${declared.codec}: ${title}`);
  }
});

interface Coder {
  readonly declared: StreamFormat;
  readonly code: (pcm: Int16Array) => Messages;
  readonly skip: string | false;
}

const needsElc3 = needsNative || (!hasTool('elc3', '-h') && 'elc3 is not installed');
const needsFfmpeg = needsNative || (!hasTool('ffmpeg', '-version') && 'ffmpeg is not installed');

const coders: readonly Coder[] = [
  { declared: format('pcm16'), code: (pcm) => pcm16(pcm, 16_000), skip: false },
  { declared: format('pcm8', 8000), code: (pcm) => pcm8(at(pcm, 8000), 8000), skip: false },
  { declared: format('opus'), code: (pcm) => opus(pcm, 10), skip: false },
  { declared: format('opus_fs320'), code: (pcm) => opus(pcm, 20, 16_000), skip: false },
  {
    declared: format('lc3'),
    code: (pcm) => ({ frames: encodeLc3(pcm, 16_000, 1, 40), each: 10 }),
    skip: needsElc3,
  },
  {
    declared: format('lc3_fs1030'),
    code: (pcm) => ({ frames: encodeLc3(pcm, 16_000, 1, 30), each: 10 }),
    skip: needsElc3,
  },
  {
    declared: format('aac'),
    code: (pcm) => ({ frames: encodeAac(pcm, 16_000, 1), each: 64 }),
    skip: needsFfmpeg,
  },
];

const isTold = (verdict: Verdict): boolean => typeof verdict !== 'string';

t.test('never reports valid audio, for any sound', async (t) => {
  const sounds = rightSounds(speech.slice(0, 36_000));
  for (const { declared, code, skip } of coders) {
    t.test(`${declared.codec} ${declared.sampleRate}: reports no sound`, { skip }, async (t) => {
      for (const [name, pcm] of Object.entries(sounds)) {
        const sent = code(pcm);
        const decodes = await decodesOf(declared, sent);
        const sample = sampleOf(declared, sent, { decodes });
        const verdict = await judge(sample, trial);
        t.notOk(isTold(verdict), `${name}: ${JSON.stringify(verdict)}`);
        if (name === 'speech') t.equal(verdict, 'right', 'speech is known to be right');
      }
    });
  }
});

t.test('accepts nearly all valid speech at the first check', async (t) => {
  let right = 0;
  const opened = [format('pcm16'), format('opus'), format('opus_fs320')] as const;
  const texts = fixtureUtterances.map((_, index) => index);
  for (const index of texts) {
    const { pcm } = await scene([index], 100);
    const sent = [pcm16(pcm, 16_000), opus(pcm, 10), opus(pcm, 20)];
    for (const [number, declared] of opened.entries()) {
      if (looksRight(sampleOf(declared, sent[number]!))) right++;
    }
  }
  t.ok(right >= 0.9 * texts.length * opened.length, `${right} of ${texts.length * opened.length}`);
});

t.test('does not mistake packets at a fraction of their pace for several in a message', async (t) => {
  for (const [name, pcm] of Object.entries(rightSounds(speech.slice(0, 36_000)))) {
    for (const [each, bitrate] of [
      [10, 96_000],
      [20, 24_000],
      [40, 16_000],
    ] as const) {
      const sent = opus(pcm, each, bitrate);
      for (const pace of [1 / 2, 1 / 3]) {
        const sample = sampleOf(format('opus'), sent, { pace });
        const verdict = await judge(sample, trial);
        t.notOk(isTold(verdict), `${name} of ${each} ms at ${pace} of its pace: ${JSON.stringify(verdict)}`);
      }
    }
  }
});

t.test('does not mistake a faster or slower pace for another sample rate', async (t) => {
  for (const pace of [0.5, 2, 3, 100]) {
    const sample = sampleOf(format('pcm16'), pcm16(speech, 16_000), { pace });
    t.notOk(isTold(await judge(sample, trial)), `at ${pace} times real time`);
  }
});

t.test('reports a rate near the declared one correctly or not at all', async (t) => {
  for (const real of [11_025, 12_000, 22_050, 24_000]) {
    const verdict = await judge(sampleOf(format('pcm16'), pcm16(at(speech, real), real)), trial);
    if (isTold(verdict)) t.match(verdict, { cause: 'sample_rate', likely: { sampleRate: real } });
    else t.equal(verdict, 'undecided', `${real} Hz is not right`);
  }
});

t.test('ignores a WAV header before valid samples', async (t) => {
  const sample = sampleOf(format('pcm16'), before(wav(16_000), pcm16(speech, 16_000)));
  t.equal(await judge(sample, trial), 'right');
});

t.test('accepts samples that messages split anywhere, also in the middle of a stream', async (t) => {
  const frames = cut(bytesOf(speech), 641);
  for (const [from, first] of [
    [0, true],
    [1, false],
    [2, false],
  ] as const) {
    const sample = sampleOf(format('pcm16'), { frames: frames.slice(from), each: 20 }, { first });
    t.equal(await judge(sample, trial), 'right', `from message ${from}`);
  }
});

t.test('does not mistake 8-bit noise for ADPCM, however loud or clipped', async (t) => {
  for (const level of [1, 2, 4, 8, 16, 32, 64, 100, 128, 150, 200, 300, 500]) {
    for (const shape of ['even', 'bell', 'uneven']) {
      const random = noise(level);
      const bell = (): number => (random() + random() + random() + random()) * 0.87;
      const one = (): number =>
        (shape === 'even' ? random() : bell()) * level + (shape === 'uneven' ? 40 : 0);
      const frames = Array.from({ length: 100 }, () =>
        Uint8Array.from({ length: 160 }, () => Math.max(0, Math.min(255, Math.round(128 + one())))),
      );
      const verdict = await judge(sampleOf(format('pcm8', 8000), { frames, each: 20 }), trial);
      t.notOk(isTold(verdict), `${shape} noise of ${level}: ${JSON.stringify(verdict)}`);
    }
  }
});

t.test('reports a stream with half of its frames undecodable only if the format is clear', async (t) => {
  const half: Messages = {
    frames: packets.frames.map((frame, index) =>
      index % 3 === 0 ? Uint8Array.of(0x4b, 0x7f, 1, 2, 3) : frame,
    ),
    each: 20,
  };
  const sample = sampleOf(format('opus'), half, { decodes: await decodesOf(format('opus'), half) });
  const verdict = await judge(sample, trial);
  t.notOk(isTold(verdict), JSON.stringify(verdict));
});

t.test('returns a verdict for any bytes in any format', async (t) => {
  const bytes = fc.uint8Array({ maxLength: 700 });
  const frames = fc.oneof(
    fc.array(bytes, { maxLength: 60 }),
    fc.tuple(bytes, fc.nat(80)).map(([frame, count]) => new Array<Uint8Array>(count).fill(frame)),
    fc
      .tuple(fc.integer({ min: 18, max: 400 }), fc.integer({ min: 30, max: 120 }), fc.nat())
      .map(([length, count, seed]) => {
        const random = noiseBytes(seed);
        return Array.from({ length: count }, () => Uint8Array.from({ length }, random));
      }),
  );
  const declared = fc.record({
    codec: fc.constantFrom(...codecs),
    sampleRate: fc.constantFrom(8000, 16_000, 24_000, 44_100, 48_000),
    channels: fc.constantFrom(1 as const, 2 as const),
  });
  const property = fc.asyncProperty(
    declared,
    frames,
    fc.constantFrom(0, 10, 20, 100),
    fc.boolean(),
    fc.double({ min: 0, max: 1, noNaN: true }),
    async (form, sent, each, first, decodes) => {
      const sampler = sampleOf(form, { frames: sent, each }, { first, decodes });
      looksRight(sampler);
      const verdict = await judge(sampler, trial);
      if (typeof verdict !== 'string') {
        if (!(verdict.decodes >= 0 && verdict.decodes <= 1)) throw new Error(`share ${verdict.decodes}`);
      } else if (verdict !== 'right' && verdict !== 'undecided') throw new Error(verdict);
    },
  );
  await fc.assert(property, { numRuns: 60 });
  t.pass('nothing is thrown');
});
