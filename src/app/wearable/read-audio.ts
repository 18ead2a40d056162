import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Decoder } from '@evan/opus';
import { readOggOpus } from '../../audio/ogg/index.js';
import { type Recording, readWav } from '../../audio/wav/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import {
  encodeFrames,
  type Frame,
  packetFrames,
  rawFrames,
  usualRate,
  type WearableCodec,
} from './encode.js';

/** Maximum number of bytes in a file that is read into memory: about nine hours of 16 kHz WAV. */
const maxFile = 1_073_741_824;

const readBytes = async (path: string): Promise<Uint8Array> => {
  try {
    const { size } = await stat(path);
    if (size > maxFile) throw new Error(`${size} bytes, at most ${maxFile}`);
    return await readFile(path);
  } catch (error) {
    throw new CochleaError('file_unreadable', { path, why: reasonOf(error) }, { cause: error });
  }
};

/**
 * Reads a WAV file.
 * @throws CochleaError `file_unreadable` or `audio_file_unsupported`.
 */
export const readWavFile = async (path: string): Promise<Recording> => readWav(await readBytes(path), path);

/**
 * Reads an Ogg Opus file with one channel, and decodes it at 16 kHz.
 * @throws CochleaError `file_unreadable` or `audio_file_unsupported`.
 */
export const readOggFile = async (path: string): Promise<Recording> => {
  const { packets, channels } = readOggOpus(await readBytes(path), path);
  if (channels !== 1) throw new CochleaError('audio_file_unsupported', { path, why: `${channels} channels` });
  const rate = 16_000;
  const decoder = new Decoder({ channels: 1, sample_rate: rate });
  // The WebAssembly decoder returns a view of its own memory, so each result is copied.
  const parts = packets.map((packet) => Buffer.from(decoder.decode(packet)));
  const { buffer, byteOffset, byteLength } = Buffer.concat(parts);
  return { pcm: new Int16Array(buffer.slice(byteOffset, byteOffset + byteLength)), rate };
};

/** Frames to send, and query parameters that describe them. */
export interface EncodedAudio {
  readonly frames: readonly Frame[];
  readonly codec: WearableCodec;
  readonly rate: number;
  readonly channels: 1 | 2;
  /** Reason why the file lacks audio; absent if the file seems complete. */
  readonly incomplete?: string;
}

export interface ReadOptions {
  /** Codec of the frames; for raw files also the codec of the file. The packets of Ogg files are always sent unchanged. */
  readonly codec?: WearableCodec;
  /** Sample rate of the frames in Hz; for raw files also the rate of the file. */
  readonly rate?: number;
}

/**
 * Reads an audio file (WAV, Ogg Opus, or raw PCM with any other extension) and creates a wearable's frames.
 * @throws CochleaError `file_unreadable`, `audio_file_unsupported` or `sample_rate_unsupported`.
 */
export const readAudioFile = async (path: string, options: ReadOptions = {}): Promise<EncodedAudio> => {
  const bytes = await readBytes(path);
  const kind = extname(path).toLowerCase();
  if (kind === '.ogg' || kind === '.opus' || kind === '.oga') {
    const { packets, channels, incomplete } = readOggOpus(bytes, path);
    const frames = packetFrames(packets);
    const codec = (frames[0]?.duration ?? 20) === 10 ? 'opus' : 'opus_fs320';
    const format = { codec, rate: 16_000, channels: channels === 2 ? 2 : 1 } as const;
    return { frames, ...format, ...(incomplete !== null && { incomplete }) };
  }
  if (kind === '.wav' || kind === '.wave') {
    const codec = options.codec ?? 'opus';
    const rate = options.rate ?? usualRate(codec);
    const recording = readWav(bytes, path);
    const { incomplete } = recording;
    const frames = encodeFrames(recording, codec, rate);
    return { frames, codec, rate, channels: 1, ...(incomplete !== undefined && { incomplete }) };
  }
  if (options.codec !== 'pcm8' && options.codec !== 'pcm16') {
    throw new CochleaError('audio_file_unsupported', { path, why: 'a raw file needs --codec pcm8 or pcm16' });
  }
  const rate = options.rate ?? usualRate(options.codec);
  return { frames: rawFrames(bytes, options.codec, rate), codec: options.codec, rate, channels: 1 };
};
