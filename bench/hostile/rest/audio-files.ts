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
  /** The same speech as MP3; undefined if ffmpeg is missing. */
  readonly mp3?: Uint8Array;
  /** Half an hour of silence at 384 kHz with eight channels, as FLAC in Matroska; undefined if ffmpeg is missing. */
  readonly wide?: Uint8Array;
}

const seconds = 2;
const rate = 16_000;
/** Ms of silence before the first word of the recording. The audio file begins after this silence. */
const before = 1400;
/**
 * Length in seconds of the encoded silence, and number of its repetitions. The total length is 10 s less than half an
 * hour.
 */
const silence = { seconds: 10, times: 179 } as const;

const oggSpeech = async (): Promise<Uint8Array> => {
  const [speech] = await speeches(1, seconds, 'opus', rate);
  const { duration } = speech!.frames[0]!;
  const packets = speech!.frames
    .slice(before / duration, (before + 1000 * seconds) / duration)
    .map(({ bytes }) => bytes);
  const packetLength = 48 * duration;
  return writeOggOpus({
    packets,
    packetLength,
    preSkip: 312,
    length: packets.length * packetLength,
    inputRate: rate,
    comments: [],
  });
};

/** Encodes the MP3 file and the wide file with ffmpeg in a temporary folder. */
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
 * @param wide whether to make the files that need ffmpeg.
 */
export const makeAudioFiles = async (wide: boolean): Promise<AudioFiles> => {
  const ogg = await oggSpeech();
  const program = wide ? await findProgram('ffmpeg') : null;
  return program === null ? { ogg } : { ogg, ...(await encoded(program, ogg)) };
};

/** Returns the pages of an Ogg file, in order. Source of the layout: RFC 3533, section 6. */
const pagesOf = (file: Uint8Array): readonly Uint8Array[] => {
  const pages: Uint8Array[] = [];
  for (let at = 0; at < file.length; ) {
    const segments = file[at + 26]!;
    const lacing = file.subarray(at + 27, at + 27 + segments);
    const length = 27 + segments + lacing.reduce((sum, value) => sum + value, 0);
    pages.push(file.subarray(at, at + length));
    at += length;
  }
  return pages;
};

/** Maximum number of packets on a page. */
const mostOfPage = 255;

/**
 * An Opus packet of 2.5 ms without data. A decoder conceals it as a lost packet. Source of the layout: RFC 6716,
 * section 3.1.
 */
export const shortestPacket = Uint8Array.of(0xe0);

/**
 * Returns an Ogg Opus file that repeats one packet. Some speech at its end makes the file valid. Pages of repeated
 * packets have no checksum.
 * @param speech a file by `writeOggOpus`.
 * @param packet at most one byte. Even an empty packet takes one byte of the file.
 * @param count approximate number of repetitions.
 */
export const repeatedOgg = (speech: Uint8Array, packet: Uint8Array, count: number): Uint8Array => {
  const [head, tags, ...audio] = pagesOf(speech);
  const page = Buffer.alloc(27 + mostOfPage * (1 + packet.length));
  page.set(head!.subarray(0, 27));
  // Clears the flags for the first and the last page of a stream.
  page[5] = 0;
  page[26] = mostOfPage;
  page.fill(packet.length, 27, 27 + mostOfPage);
  if (packet.length > 0) page.fill(packet[0]!, 27 + mostOfPage);
  const pages = new Array<Uint8Array>(Math.floor(count / mostOfPage)).fill(page);
  return Buffer.concat([head!, tags!, ...pages, audio.at(-1)!]);
};
