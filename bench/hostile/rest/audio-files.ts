import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../../src/audio/files/container-decoder.js';
import { writeOggOpus } from '../../../src/audio/ogg/write.js';
import { speeches } from '../../crowd/people.js';

const run = promisify(execFile);

/** Audio files of voice messages, in memory. */
export interface AudioFiles {
  /** Two seconds of speech as Opus in Ogg. */
  readonly ogg: Uint8Array;
  /** The same as MP3; undefined without ffmpeg. */
  readonly mp3?: Uint8Array;
  /** Half an hour of silence at 384 kHz with eight channels, FLAC in Matroska; undefined without ffmpeg. */
  readonly wide?: Uint8Array;
}

const seconds = 2;
const rate = 16_000;
/** Samples at 48 kHz of a packet of 20 ms. */
const packetLength = 960;
/** Seconds of silence that are encoded, and how often they follow each other: 10 s less than half an hour. */
const silence = { seconds: 10, times: 179 } as const;

const oggSpeech = async (): Promise<Uint8Array> => {
  const [speech] = await speeches(1, seconds, 'opus', rate);
  const packets = speech!.frames.slice(0, (seconds * 1000) / 20).map(({ bytes }) => bytes);
  return writeOggOpus({
    packets,
    packetLength,
    preSkip: 312,
    length: packets.length * packetLength,
    inputRate: rate,
    comments: [],
  });
};

/** Encodes with ffmpeg in a folder that is removed. */
const encoded = async (program: string, ogg: Uint8Array): Promise<Pick<AudioFiles, 'mp3' | 'wide'>> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-bench-audio-'));
  const path = (name: string): string => join(folder, name);
  const ffmpeg = (...words: string[]) => run(program, ['-nostdin', '-v', 'error', ...words]);
  try {
    await writeFile(path('speech.ogg'), ogg);
    await ffmpeg('-i', path('speech.ogg'), '-codec:a', 'libmp3lame', path('speech.mp3'));
    const source = ['-f', 'lavfi', '-i', 'anullsrc=r=384000:cl=7.1', '-t', String(silence.seconds)];
    await ffmpeg(...source, '-codec:a', 'flac', path('short.mka'));
    const again = ['-stream_loop', String(silence.times - 1), '-i', path('short.mka'), '-codec', 'copy'];
    await ffmpeg(...again, path('wide.mka'));
    return { mp3: await readFile(path('speech.mp3')), wide: await readFile(path('wide.mka')) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Makes the audio files.
 * @param wide whether those are wanted that need ffmpeg.
 */
export const makeAudioFiles = async (wide: boolean): Promise<AudioFiles> => {
  const ogg = await oggSpeech();
  const program = wide ? await findProgram('ffmpeg') : null;
  return program === null ? { ogg } : { ogg, ...(await encoded(program, ogg)) };
};

const page = (serial: number, first: boolean, packets: readonly Uint8Array[]): Buffer => {
  const head = Buffer.alloc(27 + packets.length);
  head.write('OggS', 0, 'latin1');
  head[5] = first ? 2 : 0;
  head.writeUInt32LE(serial, 14);
  head[26] = packets.length;
  head.set(
    packets.map(({ length }) => length),
    27,
  );
  return Buffer.concat([head, ...packets]);
};

/**
 * Opus in Ogg whose packets are empty: each takes one byte of the file. Checksums are missing, as in other damaged files.
 * Source of the layout: RFC 3533, section 6, and RFC 7845, section 5.
 * @param bytes of the file, about.
 */
export const emptyOgg = (bytes: number): Uint8Array => {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head.set([1, 1], 8);
  head.writeUInt32LE(48_000, 12);
  const tags = Buffer.alloc(16);
  tags.write('OpusTags', 0, 'latin1');
  const empty = page(1, false, new Array<Uint8Array>(255).fill(new Uint8Array(0)));
  const pages = new Array<Buffer>(Math.ceil(bytes / empty.length)).fill(empty);
  return Buffer.concat([page(1, true, [head]), page(1, false, [tags]), ...pages]);
};
