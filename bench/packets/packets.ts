import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { addPinkNoise, readWavFile, resample } from '../../src/app/wearable/index.js';
import { checkout } from '../micro/machine.js';

/** Coded audio, one packet behind the other. */
export interface Packets {
  readonly name: string;
  /** Hz at which it was coded. */
  readonly rate: number;
  readonly channels: 1 | 2;
  /** ms a packet lasts. */
  readonly frameMs: number;
  /** Every packet behind its length (32 bit, little-endian): the file's form. */
  readonly bytes: Uint8Array;
  /** Where each packet begins in `bytes`, and its length. */
  readonly offsets: Uint32Array;
  readonly lengths: Uint32Array;
}

interface Recipe {
  readonly rate: 8000 | 12_000 | 16_000 | 24_000 | 48_000;
  readonly channels: 1 | 2;
  readonly frameMs: number;
  /** s that are coded. */
  readonly duration: number;
  readonly material: 'speech in noise' | 'quiet day';
}

const speech16k = { rate: 16_000, channels: 1, material: 'speech in noise' } as const;

/**
 * What is coded: always Opus for speech at 24 kbit/s without DTX. `speech` is what an engine is rated on: wide-band SILK
 * in packets of 20 ms. `quiet-day` is the same wearable on an ordinary day, silent for nine tenths of the time.
 */
export const recipes = {
  speech: { ...speech16k, frameMs: 20, duration: 30 },
  'quiet-day': { ...speech16k, frameMs: 20, duration: 60, material: 'quiet day' },
  'speech-10ms': { ...speech16k, frameMs: 10, duration: 10 },
  'speech-40ms': { ...speech16k, frameMs: 40, duration: 10 },
  'speech-60ms': { ...speech16k, frameMs: 60, duration: 12 },
  'speech-stereo': { ...speech16k, channels: 2, frameMs: 20, duration: 10 },
  'speech-8k': { ...speech16k, rate: 8000, frameMs: 20, duration: 10 },
  'speech-12k': { ...speech16k, rate: 12_000, frameMs: 20, duration: 10 },
  'speech-24k': { ...speech16k, rate: 24_000, frameMs: 20, duration: 10 },
  'speech-48k': { ...speech16k, rate: 48_000, frameMs: 20, duration: 10 },
} as const satisfies Record<string, Recipe>;
export type PacketName = keyof typeof recipes;

/** dB between speech and the noise over it. */
const noiseRatio = 15;
/** dB between speech and what a quiet room leaves in the microphone. */
const roomRatio = 55;
const bitrate = 24_000;
const setBitrate = 4002;

interface OpusEncoder {
  encode(pcm: Uint8Array): Uint8Array;
  ctl(code: number, value: number): number;
  drop(): void;
}

// The WebAssembly half of the package gives the same bytes on every machine; its types do not describe it.
const { Encoder } = createRequire(import.meta.url)('@evan/opus/wasm/index.js') as {
  Encoder: new (options: { channels: number; sample_rate: number; application: 'voip' }) => OpusEncoder;
};

const join = (parts: readonly Int16Array[]): Int16Array => {
  const whole = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** The fixture speech at 16 kHz, half a second of silence in front of each utterance. */
const readSpeech = async (): Promise<Int16Array> => {
  const folder = new URL('fixtures/speech/', checkout);
  const { utterances } = JSON.parse(readFileSync(new URL('transcripts.json', folder), 'utf8')) as {
    utterances: { file: string }[];
  };
  const pause = new Int16Array(8000);
  const parts: Int16Array[] = [];
  for (const { file } of utterances) {
    parts.push(pause, (await readWavFile(new URL(file, folder).pathname)).pcm);
  }
  return join(parts);
};

const repeat = (pcm: Int16Array, samples: number): Int16Array => {
  const whole = new Int16Array(samples);
  for (let at = 0; at < samples; at += pcm.length)
    whole.set(pcm.subarray(0, Math.min(pcm.length, samples - at)), at);
  return whole;
};

/** Six seconds of speech in noise a minute; of the rest every other half minute is a quiet room, the others digital silence. */
const quietDay = (speech: Int16Array, samples: number): Int16Array => {
  const talk = addPinkNoise(speech.subarray(0, 96_000), speech, noiseRatio, 2);
  const room = addPinkNoise(new Int16Array(432_000), speech, roomRatio, 3);
  return repeat(join([talk, room, new Int16Array(432_000)]), samples);
};

/** Samples of a material at 16 kHz, mono. The same on every machine. */
export const materialOf = async (material: Recipe['material'], duration: number): Promise<Int16Array> => {
  const speech = await readSpeech();
  const samples = duration * 16_000;
  if (material === 'quiet day') return quietDay(speech, samples);
  const pcm = repeat(speech, samples);
  return addPinkNoise(pcm, pcm, noiseRatio);
};

/** Puts packets into the file's form. */
export const framePackets = (packets: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(packets.reduce((total, { length }) => total + 4 + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const packet of packets) {
    view.setUint32(at, packet.length, true);
    bytes.set(packet, at + 4);
    at += 4 + packet.length;
  }
  return bytes;
};

/** Finds the packets of a file. */
export const indexPackets = (bytes: Uint8Array): Pick<Packets, 'bytes' | 'offsets' | 'lengths'> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const offsets: number[] = [];
  const lengths: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = view.getUint32(at, true);
    if (at + 4 + length > bytes.length) throw new RangeError('the file ends inside a packet');
    offsets.push(at + 4);
    lengths.push(length);
    at += 4 + length;
  }
  return { bytes, offsets: Uint32Array.from(offsets), lengths: Uint32Array.from(lengths) };
};

/** Codes a recipe. */
export const encodeRecipe = async (recipe: Recipe): Promise<Uint8Array> => {
  const { rate, channels, frameMs, duration, material } = recipe;
  const mono = resample(await materialOf(material, duration), 16_000, rate);
  const pcm =
    channels === 1 ? mono : Int16Array.from({ length: mono.length * 2 }, (_, i) => mono[i >> 1]! >> (i % 2));
  const encoder = new Encoder({ channels, sample_rate: rate, application: 'voip' });
  encoder.ctl(setBitrate, bitrate);
  const size = ((rate * frameMs) / 1000) * channels;
  const packets: Uint8Array[] = [];
  for (let at = 0; at + size <= pcm.length; at += size) {
    const piece = pcm.subarray(at, at + size);
    // A view of the encoder's memory: copy before the next call.
    packets.push(encoder.encode(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)).slice());
  }
  encoder.drop();
  return framePackets(packets);
};

const pinsFile = new URL('bench/packets/pins.json', checkout);

export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 of every packet file. */
export const readPins = (): Record<string, string> => JSON.parse(readFileSync(pinsFile, 'utf8'));

export const writePins = (pins: Readonly<Record<string, string>>): void =>
  writeFileSync(pinsFile, `${JSON.stringify(pins, null, 2)}\n`);

/** Where a packet file is kept once it was made. */
export const packetPath = (name: PacketName): string =>
  new URL(`build/bench/${name}.packets`, checkout).pathname;

/**
 * The packets of that name: kept ones if they are what is pinned, otherwise coded again, which takes seconds.
 * @throws Error when this machine makes other bytes than those pinned: numbers would not compare.
 */
export const loadPackets = async (name: PacketName): Promise<Packets> => {
  const { rate, channels, frameMs } = recipes[name];
  const path = packetPath(name);
  const pin = readPins()[name];
  const kept = existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
  if (kept && digest(kept) === pin) return { name, rate, channels, frameMs, ...indexPackets(kept) };
  const bytes = await encodeRecipe(recipes[name]);
  if (digest(bytes) !== pin) {
    throw new Error(`the packets "${name}" differ from those pinned in bench/packets/pins.json`);
  }
  mkdirSync(new URL('build/bench/', checkout), { recursive: true });
  writeFileSync(path, bytes);
  return { name, rate, channels, frameMs, ...indexPackets(bytes) };
};
