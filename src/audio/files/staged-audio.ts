import pLimit from 'p-limit';
import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/stream.js';
import { packetSamples } from '../ogg/opus-packet.js';
import { readOggOpus } from '../ogg/read.js';
import { FrameFile, frameDuration, parseRecordingName } from '../recording/index.js';
import type { DecodeContainer } from './container-decoder.js';
import { framedPcm, joinFrames } from './framed.js';
import { ScratchFile } from './scratch-file.js';
import { containerOf, sniffedBytes } from './sniff.js';
import { frameBytes, monoSamples, wavLayout } from './wav.js';

/** Audio that lies on the disk, in a form that the core decodes. */
export interface StagedAudio {
  readonly format: StreamFormat;
  /** Ms. */
  readonly duration: number;
  /** Frames with their lengths before them. */
  frames(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Removes it. Idempotent. */
  close(): Promise<void>;
}

export interface StagingOptions {
  /** Folder of files without names. */
  readonly folder: string;
  /** Ms of audio that one file may have. */
  readonly longest: number;
  /** Decodes what the core does not. */
  readonly decodeContainer: DecodeContainer;
  /** Gives up what is being decoded. */
  readonly signal: AbortSignal;
}

/** Bytes in which the samples of a WAV file have to begin, and of an Ogg file that is read as a whole. */
const wavHead = 262_144;
const largestOgg = 67_108_864;
/** Where the name of the codec stands in an Ogg file of one stream: behind the head of its first page. */
const oggCodecAt = 28;
const ownRate = 16_000;
/** Files that are read as a whole at once, so that their memory is bounded. */
const whole = pLimit(1);

const tooLong = (): CochleaError => new CochleaError('recording_too_long');
const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/** Closes what is refused. @throws CochleaError recording_too_long, recording_invalid */
const checked = async (staged: StagedAudio, longest: number): Promise<StagedAudio> => {
  if (staged.duration > 0 && staged.duration <= longest) return staged;
  await staged.close();
  throw staged.duration > longest ? tooLong() : invalid('it holds no audio');
};

const pcmDuration = (bytes: number, rate: number, channels: number): number =>
  (bytes / (2 * channels * rate)) * 1000;

const pcmIn = (file: ScratchFile, sampleRate: number, channels: 1 | 2): StagedAudio => ({
  format: { codec: 'pcm16', sampleRate, channels },
  duration: pcmDuration(file.size, sampleRate, channels),
  frames: () => framedPcm(file.pieces(), sampleRate, channels),
  close: () => file.close(),
});

/** Writes what arrives to the disk; `look` sees each piece before it is written. */
const written = async (
  folder: string,
  pieces: AsyncIterable<Uint8Array>,
  look: (piece: Uint8Array, before: number) => void,
): Promise<ScratchFile> => {
  const file = await ScratchFile.create(folder);
  try {
    for await (const piece of pieces) {
      look(piece, file.size);
      await file.append(piece);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

/**
 * Takes PCM of 16 bits without a head while it arrives.
 * @throws CochleaError recording_invalid, recording_too_long; what `pieces` throws
 */
export const stagePcm = async (
  { folder, longest }: StagingOptions,
  pieces: AsyncIterable<Uint8Array>,
  sampleRate: number,
  channels: 1 | 2,
): Promise<StagedAudio> => {
  const file = await written(folder, pieces, (piece, before) => {
    if (pcmDuration(before + piece.length, sampleRate, channels) > longest) throw tooLong();
  });
  try {
    if (file.size % (2 * channels) !== 0) throw invalid('it ends within a sample');
    return await checked(pcmIn(file, sampleRate, channels), longest);
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Takes a `.bin` file of frames while it arrives. Each length is checked as it comes; nothing is decoded. */
const stageFrames = async (
  { folder, longest }: StagingOptions,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<StagedAudio> => {
  const { format } = parseRecordingName(name, Date.now());
  const frames = new FrameFile();
  let duration = 0;
  const file = await written(folder, pieces, (piece) => {
    const read = frames.read(piece);
    for (let at = 0; at < read.frames.length; at += 2) {
      const offset = read.frames[at]!;
      duration += frameDuration(format, read.bytes.subarray(offset, offset + read.frames[at + 1]!));
    }
    if (duration > longest) throw tooLong();
  });
  try {
    frames.end();
    return await checked(
      { format, duration, frames: () => file.pieces(), close: () => file.close() },
      longest,
    );
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** @returns null for a rate that the core does not take. */
const stageWav = async (file: ScratchFile): Promise<StagedAudio | null> => {
  const { format, start, end } = wavLayout(await file.read(0, wavHead), file.size, 'the file');
  const { rate, tag, channels, bits } = format;
  if (rate < 8000 || rate > 48_000) return null;
  const isPlain = tag === 1 && bits === 16 && channels <= 2;
  const width = frameBytes(format);
  const kept = isPlain ? (channels as 1 | 2) : 1;
  return {
    format: { codec: 'pcm16', sampleRate: rate, channels: kept },
    duration: ((end - start) / width / rate) * 1000,
    frames: () => {
      const samples = isPlain ? file.pieces(start, end) : mixed(file, start, end, format);
      return framedPcm(samples, rate, kept);
    },
    close: () => file.close(),
  };
};

/** Samples of a WAV file as mono of 16 bits, a whole number of them at a time. */
async function* mixed(
  file: ScratchFile,
  start: number,
  end: number,
  format: Parameters<typeof monoSamples>[1],
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = 16_384 * frameBytes(format);
  for (let at = start; at < end; at += bytes) {
    const samples = monoSamples(await file.read(at, Math.min(bytes, end - at)), format);
    yield new Uint8Array(samples.buffer);
  }
}

const isOggOpus = async (file: ScratchFile): Promise<boolean> =>
  (await file.read(oggCodecAt, 8)).toString('latin1') === 'OpusHead';

/** The packets of an Ogg Opus file, which are written anew with their lengths before them. */
const stageOggOpus = (file: ScratchFile, { folder, longest }: StagingOptions): Promise<StagedAudio> =>
  whole(async () => {
    if (file.size > largestOgg) throw tooLong();
    const { packets, channels } = readOggOpus(await file.read(0, file.size), 'the file', longest);
    const frames = await ScratchFile.create(folder);
    try {
      let duration = 0;
      for (let at = 0; at < packets.length; at += 1000) {
        const some = packets.slice(at, at + 1000);
        for (const packet of some) duration += packetSamples(packet, 1000);
        await frames.append(joinFrames(some));
      }
      await file.close();
      return {
        format: { codec: 'opus', sampleRate: ownRate, channels: channels === 2 ? 2 : 1 },
        duration,
        frames: () => frames.pieces(),
        close: () => frames.close(),
      };
    } catch (error) {
      await frames.close();
      throw error;
    }
  });

/**
 * Takes an audio file while it arrives: frames in a `.bin` file, else what its first bytes say. Nothing is left of it when it is refused.
 * @param name what the client called it.
 * @throws CochleaError recording_name_invalid, recording_invalid, recording_too_long; what `pieces` and `decodeContainer` throw
 */
export const stageFile = async (
  options: StagingOptions,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<StagedAudio> => {
  if (name.endsWith('.bin')) return stageFrames(options, name, pieces);
  const file = await written(options.folder, pieces, (piece, before) => {
    // A first piece that is shorter is judged when the file is whole.
    if (before === 0 && piece.length >= sniffedBytes && containerOf(piece) === null)
      throw invalid('it is no audio file of a known form');
  });
  try {
    const container = containerOf(await file.read(0, sniffedBytes));
    if (container === null) throw invalid('it is no audio file of a known form');
    const native =
      container === 'wav'
        ? await stageWav(file)
        : container === 'ogg' && (await isOggOpus(file))
          ? await stageOggOpus(file, options)
          : null;
    if (native !== null) return await checked(native, options.longest);
    const decoded = await options.decodeContainer(file, container, options.longest, options.signal);
    await file.close();
    return await checked(pcmIn(decoded, ownRate, 1), options.longest);
  } catch (error) {
    await file.close();
    // A file that a command reads is named in its error; here the client knows which one it sent.
    if (error instanceof CochleaError && error.code === 'audio_file_unsupported')
      throw invalid(String(error.details.why));
    throw error;
  }
};
