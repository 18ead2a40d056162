import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/stream.js';
import { packetSamples } from '../ogg/opus-packet.js';
import { OpusReader } from '../ogg/opus-reader.js';
import {
  FrameFile,
  framesDuration,
  parseRecordingName,
  shortPiece,
  shortPieces,
} from '../recording/index.js';
import type { DecodeContainer } from './container-decoder.js';
import { decodedRate } from './container-process.js';
import { checkAudioBounds } from './described-audio.js';
import { framedPcm, joinFrames } from './framed.js';
import { ScratchFile } from './scratch-file.js';
import { containerOf, sniffedBytes } from './sniff.js';
import { type FileCost, type SpentTime, timed } from './spent-time.js';
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
  /** Whose turn it is to be decoded. */
  readonly user: string;
  /** Is charged for each file, also where it is refused. */
  readonly spent: SpentTime;
}

/** Bytes in which the samples of a WAV file have to begin. */
const wavHead = 262_144;
/** Where the name of the codec stands in an Ogg file of one stream: behind the head of its first page. */
const oggCodecAt = 28;

const tooLong = (): CochleaError => new CochleaError('recording_too_long');
const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/** Stages one file and charges it, also where it is refused. */
const charged = async (
  { spent }: StagingOptions,
  stage: (cost: FileCost) => Promise<StagedAudio>,
): Promise<StagedAudio> => {
  const cost: FileCost = { counted: 0, work: 0 };
  try {
    const staged = await stage(cost);
    cost.counted = Math.max(cost.counted, staged.duration);
    return staged;
  } finally {
    spent.add(cost);
  }
};

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
    for await (const piece of shortPieces(pieces)) {
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
export const stagePcm = (
  options: StagingOptions,
  pieces: AsyncIterable<Uint8Array>,
  sampleRate: number,
  channels: 1 | 2,
): Promise<StagedAudio> => charged(options, () => writePcm(options, pieces, sampleRate, channels));

const writePcm = async (
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

/**
 * Takes a `.bin` file of frames while it arrives. Each length is checked as it comes; nothing is decoded. A frame counts as the shortest of
 * any codec at least, because each is decoded later.
 */
const stageFrames = async (
  { folder, longest }: StagingOptions,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  cost: FileCost,
): Promise<StagedAudio> => {
  const { format } = parseRecordingName(name, Date.now());
  const frames = new FrameFile();
  let duration = 0;
  const file = await written(folder, pieces, (piece) => {
    timed(cost, () => {
      const read = frames.read(piece);
      const { lasts, counted } = framesDuration(format, read);
      duration += lasts;
      cost.counted += counted;
    });
    if (cost.counted > longest) throw tooLong();
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
  checkAudioBounds(rate, channels);
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
  const bytes = Math.ceil(shortPiece / frameBytes(format)) * frameBytes(format);
  for (let at = start; at < end; at += bytes) {
    const samples = monoSamples(await file.read(at, Math.min(bytes, end - at)), format);
    yield new Uint8Array(samples.buffer);
  }
}

const isOggOpus = async (file: ScratchFile): Promise<boolean> =>
  (await file.read(oggCodecAt, 8)).toString('latin1') === 'OpusHead';

/** The packets of an Ogg Opus file, which are written anew with their lengths before them. */
const stageOggOpus = async (
  file: ScratchFile,
  { folder, longest, signal }: StagingOptions,
  cost: FileCost,
): Promise<StagedAudio> => {
  const reader = new OpusReader('the file', longest);
  const frames = await ScratchFile.create(folder);
  try {
    let duration = 0;
    for await (const piece of shortPieces(file.pieces())) {
      signal.throwIfAborted();
      const framed = timed(cost, () => {
        const packets = reader.read(piece);
        for (const packet of packets) duration += packetSamples(packet, 1000);
        return joinFrames(packets);
      });
      await frames.append(framed);
    }
    const { channels } = reader.end();
    cost.counted = reader.counted;
    await file.close();
    return {
      format: { codec: 'opus', sampleRate: decodedRate, channels },
      duration,
      frames: () => frames.pieces(),
      close: () => frames.close(),
    };
  } catch (error) {
    await frames.close();
    throw error;
  }
};

/**
 * Takes an audio file while it arrives: frames in a `.bin` file, else what its first bytes say. Nothing is left of it when it is refused.
 * @param name what the client called it.
 * @throws CochleaError recording_name_invalid, recording_invalid, recording_too_long; what `pieces` and `decodeContainer` throw
 */
export const stageFile = (
  options: StagingOptions,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<StagedAudio> =>
  charged(options, (cost) =>
    name.endsWith('.bin') ? stageFrames(options, name, pieces, cost) : stageContainer(options, pieces, cost),
  );

const stageContainer = async (
  options: StagingOptions,
  pieces: AsyncIterable<Uint8Array>,
  cost: FileCost,
): Promise<StagedAudio> => {
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
          ? await stageOggOpus(file, options, cost)
          : null;
    if (native !== null) return await checked(native, options.longest);
    const { longest, signal, user } = options;
    const decoded = await options.decodeContainer({ file, container, longest, signal, user, cost });
    await file.close();
    return await checked(pcmIn(decoded, decodedRate, 1), longest);
  } catch (error) {
    await file.close();
    // A file that a command reads is named in its error; here the client knows which one it sent.
    if (error instanceof CochleaError && error.code === 'audio_file_unsupported')
      throw invalid(String(error.details.why));
    throw error;
  }
};
