import { createRequire } from 'node:module';
import { loadAddon, nativeCodecs } from '../../src/audio/addon.js';
import { batchStride } from '../../src/audio/interface/core.js';
import { encodeAac } from '../packets/aac-packets.js';
import { encodeLc3, type Lc3Shape } from '../packets/lc3-packets.js';
import { loadPackets, type PacketName, type Packets, packetPath } from '../packets/packets.js';
import { cpuPerUnit } from './clock.js';
import { coreOptions } from './core-options.js';
import { buildReferenceCodec, ReferenceDecoder } from './reference-codec.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';

/** Number of decoders of each contender. Together, their state is larger than any first-level cache, as in a shard. */
const streams = 16;
/** Each stream starts this many packets later in the file than the previous stream. */
const phase = 7;
/** Number of frames that each stream decodes in a round. */
const perRound = 40;
/** Number of frames passed to the core in one call. */
const callFrames = 64;

interface PacketDecoder {
  decode(packet: Uint8Array): Uint8Array;
}
interface DecoderPackage {
  readonly Decoder: new (options: { channels: 1 | 2; sample_rate: number }) => PacketDecoder;
}
const load = createRequire(import.meta.url);

/** Returns the contender that decodes Opus packets with a JavaScript package, one decoder object per stream. */
const packageEntry = (
  packets: Packets,
  contender: string,
  { Decoder }: DecoderPackage,
  common: Partial<Entry['labels']>,
): Entry => {
  const decoders = Array.from({ length: streams }, () => new Decoder({ channels: 1, sample_rate: 16_000 }));
  const views = Array.from(packets.offsets, (offset, i) =>
    packets.bytes.subarray(offset, offset + packets.lengths[i]!),
  );
  return {
    labels: { contender, version: '@evan/opus 1.0.3', ...common },
    measure: (round) =>
      cpuPerUnit(streams * perRound, () => {
        for (let p = round * perRound; p < (round + 1) * perRound; p++) {
          for (let s = 0; s < streams; s++) decoders[s]!.decode(views[(p + s * phase) % views.length]!);
        }
      }),
  };
};

/**
 * Returns the contender that decodes the same packets with the core. This includes its frame queue, decoder, resampler
 * and gate, but not the detector.
 */
const coreEntry = (
  packets: Packets,
  codec: keyof typeof nativeCodecs,
  common: Partial<Entry['labels']>,
): Entry => {
  const { addon } = loadAddon();
  const probe = new addon.StreamProbe(
    coreOptions.gate,
    nativeCodecs[codec],
    packets.rate,
    packets.channels,
    streams,
  );
  const batch = new Uint32Array(batchStride * callFrames);
  const { offsets, lengths, bytes } = packets;
  return {
    labels: { contender: 'cochlea', ...common },
    measure: (round) =>
      cpuPerUnit(streams * perRound, () => {
        let filled = 0;
        for (let p = round * perRound; p < (round + 1) * perRound; p++) {
          for (let s = 0; s < streams; s++) {
            const at = (p + s * phase) % offsets.length;
            const entry = batchStride * filled;
            batch[entry] = s;
            batch[entry + 1] = offsets[at]!;
            batch[entry + 2] = lengths[at]!;
            if (++filled < callFrames) continue;
            probe.run(bytes, batch, filled);
            filled = 0;
          }
        }
        probe.run(bytes, batch, filled);
      }),
  };
};

/**
 * Returns PCM as packets. The samples are noise from a fixed seed, which suffices because the codec only copies them.
 */
const pcmPackets = (width: 1 | 2, rate: number): Packets => {
  const frame = (rate / 50) * width;
  const count = 100;
  const bytes = new Uint8Array(frame * count);
  let state = 1;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  const offsets = Uint32Array.from({ length: count }, (_, i) => i * frame);
  const lengths = new Uint32Array(count).fill(frame);
  return { name: 'pcm', rate, channels: 1, frameMs: 20, bytes, offsets, lengths };
};

const labelsOf = (codec: string, { rate, channels, frameMs }: Packets): Partial<Entry['labels']> => ({
  codec,
  rate,
  channels,
  frame_ms: frameMs,
});

const opusGroup = async (
  name: PacketName,
  reference: string | undefined,
): Promise<ReadonlyMap<string, Entry>> => {
  const packets = await loadPackets(name);
  const common = labelsOf('opus', packets);
  const entries = new Map([['cochlea', coreEntry(packets, 'opus', common)]]);
  if (reference) {
    // The reference decodes to the rate and number of channels that the core uses.
    const decoder = new ReferenceDecoder(reference, 'opus', 16_000, 1, streams, phase, packetPath(name));
    entries.set('libopus', {
      labels: { contender: 'libopus', version: decoder.version, ...common },
      measure: async (round) => (await decoder.decode(round * perRound, perRound)) / (streams * perRound),
      close: () => decoder.close(),
    });
  }
  const packages = [
    ['evan-opus', '@evan/opus/node/index.js'],
    ['evan-opus-wasm', '@evan/opus/wasm/index.js'],
  ] as const;
  for (const [contender, path] of packages) {
    entries.set(contender, packageEntry(packets, contender, load(path) as DecoderPackage, common));
  }
  return entries;
};

/** Describes what the core does with decoded frames of this rate. */
const resampled = (rate: number): string => (rate === 16_000 ? '' : ', then resampled');

const lc3Group = async (shape: Lc3Shape, reference: string): Promise<ReadonlyMap<string, Entry>> => {
  const packets = await encodeLc3(reference, shape);
  const common = { ...labelsOf('lc3', packets), mode: `${shape.bytes} bytes` };
  const decoder = new ReferenceDecoder(reference, 'lc3', shape.rate, 1, streams, phase, packets.path);
  return new Map<string, Entry>([
    ['cochlea', coreEntry(packets, 'lc3', { ...common, mode: `${common.mode}${resampled(shape.rate)}` })],
    [
      'liblc3',
      {
        labels: { contender: 'liblc3', version: decoder.version, ...common },
        measure: async (round) => (await decoder.decode(round * perRound, perRound)) / (streams * perRound),
        close: () => decoder.close(),
      },
    ],
  ]);
};

/**
 * Returns a group with the core as its only contender. The core opens libavcodec at run time, and a C program cannot be
 * linked with this library for a comparison.
 */
const aacGroup = async (rate: number): Promise<ReadonlyMap<string, Entry>> => {
  const packets = await encodeAac(rate);
  const common = { ...labelsOf('aac', packets), mode: `ADTS${resampled(rate)}` };
  return new Map([['cochlea', coreEntry(packets, 'aac', common)]]);
};

/** Measures the cost per frame of a call into the addon. The frames belong to no open stream, so nothing is decoded. */
const callGroup = (): ReadonlyMap<string, Entry> => {
  const { addon, weights } = loadAddon();
  const memory = new Uint8Array(4096);
  const core = new addon.Core(
    { ...coreOptions, maxStreams: 64 },
    memory,
    new Float64Array(5 * 64),
    new Uint32Array(64),
    weights,
  );
  const batch = new Uint32Array(batchStride * callFrames);
  for (let i = 0; i < callFrames; i++) batch.set([i, 0, 60], batchStride * i);
  const calls = 20_000;
  return new Map([
    [
      'addon call',
      {
        labels: { contender: 'cochlea', codec: 'none (addon call)', batch: callFrames },
        measure: () =>
          cpuPerUnit(calls * callFrames, () => {
            for (let i = 0; i < calls; i++) core.push(batch, callFrames, i);
          }),
        close: () => core.destroy(),
      },
    ],
  ]);
};

const opusFiles: readonly PacketName[] = [
  'speech',
  'speech-10ms',
  'speech-40ms',
  'speech-60ms',
  'speech-stereo',
  'speech-8k',
  'speech-12k',
  'speech-24k',
  'speech-48k',
];
const lc3Shapes: readonly Lc3Shape[] = [
  { rate: 16_000, bytes: 30 },
  { rate: 16_000, bytes: 40 },
  { rate: 48_000, bytes: 100 },
];

/**
 * Measures the ns that a frame costs, by codec and frame size. Compares the core with the codec libraries in C and with
 * JavaScript packages.
 */
export const codecSuite: Suite = async (options) => {
  const rows = new SuiteRows('codec', 'ns_per_frame', options);
  const { addon } = loadAddon();
  rows.versions.opus = addon.opus;
  let reference: string | undefined;
  try {
    reference = await buildReferenceCodec();
  } catch (error) {
    rows.skip('libopus and liblc3 in C', error);
  }
  for (const name of opusFiles) await rows.add(name, await opusGroup(name, reference));
  const pcm = [
    ['pcm16', pcmPackets(2, 16_000)],
    ['pcm16', pcmPackets(2, 48_000)],
    ['pcm8', pcmPackets(1, 8000)],
  ] as const;
  for (const [codec, packets] of pcm) {
    await rows.add(
      `${codec} at ${packets.rate} Hz`,
      new Map([['cochlea', coreEntry(packets, codec, labelsOf(codec, packets))]]),
    );
  }
  if (addon.lc3 === undefined) rows.skip('lc3', 'this build of the core does not decode it');
  else if (reference) {
    rows.versions.lc3 = `liblc3 ${addon.lc3}`;
    for (const shape of lc3Shapes) {
      try {
        await rows.add(`lc3 at ${shape.rate} Hz, ${shape.bytes} bytes`, await lc3Group(shape, reference));
      } catch (error) {
        rows.skip(`lc3 at ${shape.rate} Hz`, error);
      }
    }
  }
  if (addon.aac === undefined) rows.skip('aac', 'no libavcodec was found on this machine');
  else {
    rows.versions.aac = `libavcodec of ffmpeg ${addon.aac}`;
    for (const rate of [16_000, 44_100]) {
      try {
        await rows.add(`aac at ${rate} Hz`, await aacGroup(rate));
      } catch (error) {
        rows.skip(`aac at ${rate} Hz`, error);
      }
    }
  }
  await rows.add('addon call', callGroup());
  return rows;
};
