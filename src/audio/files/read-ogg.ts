import { readSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CochleaError } from '../../errors/index.js';
import { type OggLink, OggLinks, OpusReader, packetSamples } from '../ogg/index.js';
import { shortPiece } from '../recording/index.js';
import { joinFrames } from './framed.js';
import { type FileCost, timed } from './spent-time.js';

/** An Ogg file on the disk. `from` and `to` are open file descriptors of this process; the caller owns them. */
export interface OggTask {
  readonly from: number;
  /** Length of the file in bytes. */
  readonly size: number;
  /** Byte at which the audio of the file begins. */
  readonly start: number;
  /** An empty file that receives the packets. The length of each packet is written before it. */
  readonly to: number;
  /** Maximum duration of the audio, in ms. */
  readonly longest: number;
  /** One shared number. A value other than 0 cancels the reading. */
  readonly stop: Int32Array;
}

/**
 * Content of an Ogg file. If the audio of every link is Opus that the core decodes, the content is packets. Otherwise
 * it is the byte ranges of the links, for ffmpeg to decode.
 */
export type OggContent =
  | {
      readonly kind: 'packets';
      readonly channels: 1 | 2;
      /** Duration in ms. */
      readonly duration: number;
      /** Number of bytes written to the output file. */
      readonly bytes: number;
      readonly incomplete: string | null;
    }
  | { readonly kind: 'links'; readonly links: readonly OggLink[]; readonly incomplete: string | null };

/**
 * The cost of a file, and its content or the error that refuses it. If the reading was cancelled, there is neither
 * content nor error.
 */
export interface OggAnswer {
  readonly content?: OggContent;
  readonly error?: ReturnType<CochleaError['toJSON']>;
  readonly cost: FileCost;
}

/** Error that ends the reading of a cancelled file. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Reads the file in short pieces. The thread serves other files between two pieces. */
async function* piecesOf({ from, size, start, stop }: OggTask): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = start; at < size; ) {
    if (Atomics.load(stop, 0) !== 0) throw new Stopped();
    const piece = Buffer.allocUnsafe(Math.min(shortPiece, size - at));
    const got = readSync(from, piece, 0, piece.length, at);
    if (got === 0) return;
    yield piece.subarray(0, got);
    at += got;
    await nextTurn();
  }
}

const linksOf = async (task: OggTask, cost: FileCost): Promise<ReturnType<OggLinks['end']>> => {
  const links = new OggLinks('the file', task.longest);
  for await (const piece of piecesOf(task)) timed(cost, () => links.read(piece));
  return links.end();
};

/** Writes the packets of an Ogg Opus file to another file. */
const packetsOf = async (task: OggTask, cost: FileCost): Promise<OggContent> => {
  const reader = new OpusReader('the file', task.longest);
  let [duration, bytes] = [0, 0];
  const write = (packets: readonly Uint8Array[]): void => {
    for (const packet of packets) duration += packetSamples(packet, 1000);
    const framed = joinFrames(packets);
    for (let at = 0; at < framed.length; )
      at += writeSync(task.to, framed, at, framed.length - at, bytes + at);
    bytes += framed.length;
  };
  for await (const piece of piecesOf(task)) timed(cost, () => write(reader.read(piece)));
  const { channels, packets, incomplete } = reader.end();
  write(packets);
  cost.counted = reader.counted;
  return { kind: 'packets', channels, duration, bytes, incomplete };
};

const contentOf = async (task: OggTask, cost: FileCost): Promise<OggContent> => {
  const { links, incomplete } = await linksOf(task, cost);
  if (links.every(({ isPlain }) => isPlain)) return packetsOf(task, cost);
  return { kind: 'links', links, incomplete };
};

/** Reads an Ogg file in slices of 1 to 2 ms, as a piscina task. The thread reads other files between two slices. */
export const readOgg = async (task: OggTask): Promise<OggAnswer> => {
  const cost: FileCost = { counted: 0, work: 0 };
  try {
    return { content: await contentOf(task, cost), cost };
  } catch (error) {
    if (error instanceof CochleaError) return { error: error.toJSON(), cost };
    if (error instanceof Stopped) return { cost };
    throw error;
  }
};
