/**
 * The readability check reports Opus packets in the self-delimiting framing of RFC 6716, appendix B. It never reports
 * packets in the usual framing.
 */
import { Encoder } from '@evan/opus';
import t from 'tap';
import { findingOfFile } from '../../../src/audio/readability/file-finding.js';
import { judge } from '../../../src/audio/readability/judge.js';
import { looksRight } from '../../../src/audio/readability/quick-look.js';
import { TrialDecoder } from '../../../src/audio/readability/trial.js';
import type { StreamFormat } from '../../../src/wire/stream.js';
import { scene } from '../../support/texts/speech.js';
import { withoutNative } from '../support.js';
import { behind, type Messages, opus, rightSounds, sampleOf } from './readability-streams.js';

const format = (codec: StreamFormat['codec']): StreamFormat => ({ codec, sampleRate: 16_000, channels: 1 });
const needsNative = withoutNative && `the codec needs the native core: ${withoutNative}`;

const { pcm: whole } = await scene([0, 1], 200);
const speech = whole.slice(3200, 3200 + 40_000);

/** Encodes Opus packets of equal length. @param pcm mono 16 kHz. */
const constant = (
  pcm: Int16Array,
  each: number,
  bitrate: number,
  application: 'voip' | 'restricted_lowdelay' = 'voip',
): Messages => {
  const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application });
  encoder.vbr = false;
  encoder.bitrate = bitrate;
  const samples = 16 * each;
  const frames = Array.from({ length: Math.floor(pcm.length / samples) }, (_, index) =>
    encoder.encode(pcm.slice(index * samples, (index + 1) * samples)).slice(),
  );
  return { frames, each };
};

const lengthOf = (bytes: number): readonly number[] =>
  bytes < 252 ? [bytes] : [252 + (bytes & 3), (bytes - 252 - (bytes & 3)) >> 2];

/** How the frames of several packets are joined in one packet. The first byte contains the code. */
interface Packing {
  readonly code: 0 | 1 | 2 | 3;
  /** Number of frames in a packet. */
  readonly frames: number;
  /** Number of padding bytes. */
  readonly padding?: number;
  /** For code 3: whether each frame has its own length. */
  readonly isVaried?: boolean;
}

/** Joins the frames of several packets in one packet. @param isOwn whether the packet contains its own length. */
const packed = (
  group: readonly Uint8Array[],
  { code, padding = 0, isVaried = false }: Packing,
  isOwn: boolean,
): Uint8Array => {
  const bodies = group.map((packet) => packet.subarray(1));
  const head = [(group[0]![0]! & 0xfc) | code];
  if (code === 3) head.push((isVaried ? 0x80 : 0) | (padding > 0 ? 0x40 : 0) | bodies.length);
  if (code === 3 && padding > 0) head.push(padding);
  const lengths = bodies.map(({ length }) => lengthOf(length));
  const hasLengths = code === 2 || (code === 3 && isVaried);
  if (hasLengths) head.push(...lengths.slice(0, -1).flat());
  if (isOwn) head.push(...lengths.at(-1)!);
  return Buffer.concat([Buffer.from(head), ...bodies, Buffer.alloc(padding)]);
};

const repacked = ({ frames, each }: Messages, packing: Packing, isOwn: boolean): Messages => ({
  frames: Array.from({ length: Math.floor(frames.length / packing.frames) }, (_, index) =>
    packed(frames.slice(index * packing.frames, (index + 1) * packing.frames), packing, isOwn),
  ),
  each: each * packing.frames,
});

const own = (sent: Messages): Messages => repacked(sent, { code: 0, frames: 1 }, true);
const grouped = ({ frames, each }: Messages, count: number): Messages => ({
  frames: Array.from({ length: Math.floor(frames.length / count) }, (_, index) =>
    Buffer.concat(frames.slice(index * count, (index + 1) * count)),
  ),
  each: each * count,
});

/** Ways to pack frames, and the source of the frames. */
const packings: readonly { readonly title: string; readonly of: 'constant' | 'varied'; packing: Packing }[] =
  [
    { title: 'one frame', of: 'varied', packing: { code: 0, frames: 1 } },
    { title: 'one frame of constant length', of: 'constant', packing: { code: 0, frames: 1 } },
    { title: 'two frames of equal length', of: 'constant', packing: { code: 1, frames: 2 } },
    { title: 'two frames', of: 'varied', packing: { code: 2, frames: 2 } },
    { title: 'three frames', of: 'varied', packing: { code: 3, frames: 3, isVaried: true } },
    {
      title: 'three frames with padding',
      of: 'varied',
      packing: { code: 3, frames: 3, isVaried: true, padding: 40 },
    },
    { title: 'three frames of equal length', of: 'constant', packing: { code: 3, frames: 3 } },
    {
      title: 'two frames of equal length with padding',
      of: 'constant',
      packing: { code: 3, frames: 2, padding: 7 },
    },
  ];

/** With packets of 10 ms, the encoder writes only one frame per packet. */
const source = (pcm: Int16Array, of: 'constant' | 'varied'): Messages =>
  of === 'constant' ? constant(pcm, 10, 32_000) : opus(pcm, 10);

let trial: TrialDecoder;
t.before(async () => {
  trial = await TrialDecoder.load(withoutNative === false ? 'native' : 'portable');
});
t.after(() => trial.destroy());

const isPacked = ({ frames }: Messages, code: number): boolean =>
  frames.every((packet) => (packet[0]! & 3) === code);

t.test('detects self-delimited packets', async (t) => {
  const streams = [
    ...packings.map(({ title, of, packing }) => ({
      title,
      sent: repacked(source(speech, of), packing, true),
      code: packing.code,
      inMessage: 1,
    })),
    ...([20, 40, 60] as const).map((each) => ({
      title: `${each} ms`,
      sent: own(opus(speech, each)),
      code: 0,
      inMessage: 1,
    })),
    ...[16_000, 64_000, 128_000].map((bitrate) => ({
      title: `${bitrate} bit/s`,
      sent: own(opus(speech, 20, bitrate)),
      code: 0,
      inMessage: 1,
    })),
    { title: 'two in a message', sent: grouped(own(opus(speech, 10)), 2), code: 0, inMessage: 2 },
    {
      title: 'three of constant length in a message',
      sent: grouped(own(constant(speech, 10, 32_000)), 3),
      code: 0,
      inMessage: 3,
    },
  ];
  for (const { title, sent, code, inMessage } of streams) {
    t.ok(isPacked(sent, code), `${title}: code ${code}`);
    for (const codec of ['opus', 'opus_fs320'] as const) {
      const sample = sampleOf(format(codec), sent);
      t.equal(looksRight(sample), false, `${codec}: ${title}`);
      const verdict = await judge(sample, trial);
      const likely = inMessage > 1 ? { framesInMessage: inMessage } : {};
      if (typeof verdict === 'string') t.fail(`${codec}: ${title}: ${verdict}`);
      else {
        t.match(verdict, { cause: 'framing', remedy: /self-delimiting form/ }, `${codec}: ${title}`);
        t.same(verdict.likely, likely, `${codec}: ${title}`);
      }
    }
  }
});

t.test('detects self-delimited packets instead of another codec', async (t) => {
  const sent = own(opus(speech, 20));
  for (const codec of ['pcm16', 'pcm8', 'aac', 'lc3'] as const) {
    t.test(codec, { skip: (codec === 'lc3' || codec === 'aac') && needsNative }, async (t) => {
      const verdict = await judge(sampleOf(format(codec), sent, { decodes: 0.4 }), trial);
      const expected = { cause: 'codec', likely: { codec: 'opus' }, remedy: /self-delimiting form/ };
      t.match(verdict, expected);
      if (typeof verdict !== 'string')
        t.match(findingOfFile(verdict, format(codec)), { why: /own lengths within/, remedy: /codec opus/ });
    });
  }
});

t.test('accepts packets in the usual format, whatever they contain', async (t) => {
  const sounds = rightSounds(speech.slice(0, 34_000));
  for (const name of [
    'speech',
    'quiet speech',
    'silence',
    'white noise',
    'noise at full scale',
    'tone',
    'music',
  ]) {
    const pcm = sounds[name]!;
    for (const { title, of, packing } of packings) {
      const sent = repacked(source(pcm, of), packing, false);
      const verdict = await judge(sampleOf(format('opus'), sent), trial);
      t.type(verdict, 'string', `${name}: ${title}: ${JSON.stringify(verdict)}`);
    }
  }
});

t.test('detects a header with a type and a length', async (t) => {
  for (const [name, sent] of Object.entries({
    varied: opus(speech, 20),
    constant: constant(speech, 20, 32_000),
  })) {
    for (const type of [0x48, 0x7c]) {
      const typed = behind(sent, (index) => [type, sent.frames[index]!.length]);
      const sample = sampleOf(format('opus'), typed);
      t.match(
        await judge(sample, trial),
        { cause: 'header', likely: { headerBytes: 2 } },
        `${name}, ${type}`,
      );
    }
  }
});

t.test('does not mistake a byte of audio that equals the message length for a length', async (t) => {
  const { frames, each } = constant(rightSounds(speech)['white noise']!, 20, 48_000, 'restricted_lowdelay');
  // The byte after the TOC byte is audio here. It equals the length of the remaining packet in every packet.
  const alike = frames.map((packet) => {
    const copy = Buffer.from(packet);
    copy[1] = packet.length - 2;
    return copy;
  });
  const verdict = await judge(sampleOf(format('opus'), { frames: alike, each }), trial);
  t.equal(verdict, 'undecided');
});
