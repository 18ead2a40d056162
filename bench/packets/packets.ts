import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resample } from '../../src/app/wearable/resample.js';
import { checkout } from '../checkout.js';
import { type Material, materialOf } from './materials.js';
import { daySeconds } from './wearer-day.js';

/** A file of encoded audio, and the positions of its packets. */
export interface Packets {
  readonly name: string;
  /** Sample rate of the encoded audio, Hz. */
  readonly rate: number;
  readonly channels: 1 | 2;
  /** Ms of audio in one packet. */
  readonly frameMs: number;
  /** The content of the file: each packet follows its length (32 bits, little-endian). */
  readonly bytes: Uint8Array;
  /** Start of each packet in `bytes`. */
  readonly offsets: Uint32Array;
  /** Length of each packet in bytes. */
  readonly lengths: Uint32Array;
}

interface Recipe {
  /** The codec; absent: Opus. */
  readonly codec?: 'opus' | 'pcm16' | 'pcm8';
  readonly rate: 8000 | 12_000 | 16_000 | 24_000 | 48_000;
  readonly channels: 1 | 2;
  readonly frameMs: number;
  /** Seconds of the material that are encoded. */
  readonly duration: number;
  readonly material: Material;
  /** Whether Opus encodes with DTX: in a pause most packets have one or two bytes. */
  readonly dtx?: boolean;
}

const pcm16 = { codec: 'pcm16', rate: 16_000, channels: 1, frameMs: 20 } as const;
const pcm8 = { codec: 'pcm8', rate: 8000, channels: 1, frameMs: 20 } as const;
const speech16k = { rate: 16_000, channels: 1, material: 'speech in noise' } as const;
const day16k = { ...speech16k, duration: daySeconds, material: 'wearer day' } as const;

/**
 * Recipes for packet files. If a recipe states nothing else, it encodes Opus for speech at 24 kbit/s without DTX.
 * `speech` is the standard load of an engine: wide-band SILK in packets of 20 ms. `quiet-day` is a wearable on an
 * ordinary day, silent for nine tenths of the time. `meeting` is a wearable among people who take turns. `wearer-day` is
 * a day among changing sounds, with speech for a quarter of the time.
 */
export const recipes = {
  speech: { ...speech16k, frameMs: 20, duration: 30 },
  'quiet-day': { ...speech16k, frameMs: 20, duration: 60, material: 'quiet day' },
  meeting: { ...speech16k, frameMs: 20, duration: 60, material: 'meeting' },
  'speech-10ms': { ...speech16k, frameMs: 10, duration: 10 },
  'speech-40ms': { ...speech16k, frameMs: 40, duration: 10 },
  'speech-60ms': { ...speech16k, frameMs: 60, duration: 12 },
  'speech-stereo': { ...speech16k, channels: 2, frameMs: 20, duration: 10 },
  'speech-8k': { ...speech16k, rate: 8000, frameMs: 20, duration: 10 },
  'speech-12k': { ...speech16k, rate: 12_000, frameMs: 20, duration: 10 },
  'speech-24k': { ...speech16k, rate: 24_000, frameMs: 20, duration: 10 },
  'speech-48k': { ...speech16k, rate: 48_000, frameMs: 20, duration: 10 },
  'quiet-day-10ms': { ...speech16k, frameMs: 10, duration: 60, material: 'quiet day' },
  'quiet-day-60ms': { ...speech16k, frameMs: 60, duration: 60, material: 'quiet day' },
  'wearer-day': { ...day16k, frameMs: 20 },
  'speech-dtx': { ...speech16k, frameMs: 20, duration: 30, dtx: true },
  'quiet-day-dtx': { ...speech16k, frameMs: 20, duration: 60, material: 'quiet day', dtx: true },
  'meeting-dtx': { ...speech16k, frameMs: 20, duration: 60, material: 'meeting', dtx: true },
  'wearer-day-dtx': { ...day16k, frameMs: 20, dtx: true },
  'wearer-day-10ms': { ...day16k, frameMs: 10 },
  'wearer-day-60ms': { ...day16k, frameMs: 60 },
  'meeting-10ms': { ...speech16k, frameMs: 10, duration: 60, material: 'meeting' },
  'meeting-60ms': { ...speech16k, frameMs: 60, duration: 60, material: 'meeting' },
  'pcm16-speech': { ...pcm16, duration: 30, material: 'speech in noise' },
  'pcm16-quiet-day': { ...pcm16, duration: 60, material: 'quiet day' },
  'pcm16-wearer-day': { ...pcm16, duration: daySeconds, material: 'wearer day' },
  'pcm8-wearer-day': { ...pcm8, duration: daySeconds, material: 'wearer day' },
  'pcm16-meeting': { ...pcm16, duration: 60, material: 'meeting' },
  'pcm8-speech': { ...pcm8, duration: 30, material: 'speech in noise' },
  'pcm8-quiet-day': { ...pcm8, duration: 60, material: 'quiet day' },
  'pcm8-meeting': { ...pcm8, duration: 60, material: 'meeting' },
} as const satisfies Record<string, Recipe>;
export type PacketName = keyof typeof recipes;

const bitrate = 24_000;
const setBitrate = 4002;
const setDtx = 4016;

interface OpusEncoder {
  encode(pcm: Uint8Array): Uint8Array;
  ctl(code: number, value: number): number;
  drop(): void;
}

// The WebAssembly build of the encoder gives the same bytes on every machine. The types of the package lack it, so it
// is loaded with `require`.
const { Encoder } = createRequire(import.meta.url)('@evan/opus/wasm/index.js') as {
  Encoder: new (options: { channels: number; sample_rate: number; application: 'voip' }) => OpusEncoder;
};

/** Joins packets into the content of a file, in the format of `Packets.bytes`. */
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

/** Finds the packets in the content of a file. */
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

type Coder = (piece: Int16Array) => Uint8Array;

const openOpus = (rate: number, channels: number, dtx: boolean): { code: Coder; close(): void } => {
  const encoder = new Encoder({ channels, sample_rate: rate, application: 'voip' });
  encoder.ctl(setBitrate, bitrate);
  if (dtx) encoder.ctl(setDtx, 1);
  return {
    // The bytes are copied, because they are a view of the encoder's memory, which the next call overwrites.
    code: (piece) => encoder.encode(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)).slice(),
    close: () => encoder.drop(),
  };
};

const codePcm: Readonly<Record<'pcm16' | 'pcm8', Coder>> = {
  pcm16: (piece) => new Uint8Array(piece.slice().buffer),
  pcm8: (piece) => Uint8Array.from(piece, (sample) => (sample >> 8) + 128),
};

/** Encodes the material of a recipe. @returns the file, in the format of `Packets.bytes`. */
export const encodeRecipe = async (recipe: Recipe): Promise<Uint8Array> => {
  const { codec = 'opus', rate, channels, frameMs, duration, material, dtx = false } = recipe;
  const mono = resample(await materialOf(material, duration), 16_000, rate);
  const pcm =
    channels === 1 ? mono : Int16Array.from({ length: mono.length * 2 }, (_, i) => mono[i >> 1]! >> (i % 2));
  const coder =
    codec === 'opus' ? openOpus(rate, channels, dtx) : { code: codePcm[codec], close: () => undefined };
  const size = ((rate * frameMs) / 1000) * channels;
  const packets: Uint8Array[] = [];
  for (let at = 0; at + size <= pcm.length; at += size) packets.push(coder.code(pcm.subarray(at, at + size)));
  coder.close();
  return framePackets(packets);
};

const pinsFile = new URL('bench/packets/pins.json', checkout);

export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the fixed SHA-256 hash (pin) of every packet file, by name. */
export const readPins = (): Record<string, string> => JSON.parse(readFileSync(pinsFile, 'utf8'));

export const writePins = (pins: Readonly<Record<string, string>>): void =>
  writeFileSync(pinsFile, `${JSON.stringify(pins, null, 2)}\n`);

/** Returns the path at which the packet file of a recipe is stored. */
export const packetPath = (name: PacketName): string =>
  new URL(`build/bench/${name}.packets`, checkout).pathname;

/**
 * Returns the packets of a recipe. If the hash of their file equals the pin, reads the file. Otherwise encodes the
 * packets again, which takes seconds.
 * @throws Error when the hash of the encoded bytes differs from the pin, because measurements with other packets are
 *   not comparable.
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
