import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { shortPieces } from '../recording/index.js';
import type { DecodeContainer } from './container-decoder.js';
import { framedPcm } from './framed.js';
import type { ReadOgg } from './ogg-thread.js';
import { ScratchFile } from './scratch-file.js';
import type { SpentTime } from './spent-time.js';

/** Audio on the disk in a form that the core decodes. */
export interface StagedAudio {
  readonly format: StreamFormat;
  /** Ms. */
  readonly duration: number;
  /** Why audio of the file is missing, for example because it is cut off; null unless there is a sign of missing audio. */
  readonly incomplete: string | null;
  /** Frames, each with its length before it. */
  frames(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Deletes the audio. Idempotent. */
  close(): Promise<void>;
}

export interface StagingOptions {
  /** Folder for unnamed temporary files. */
  readonly folder: string;
  /** Most audio of one file, in ms. */
  readonly longest: number;
  /** Decodes formats that the core does not. */
  readonly decodeContainer: DecodeContainer;
  /** Reads Ogg files. */
  readonly readOgg: ReadOgg;
  /** Cancels the decoding in progress. */
  readonly signal: AbortSignal;
  /** Id by which users take turns at decoding. */
  readonly user: string;
  /** Is charged for each file, also for a refused one. */
  readonly spent: SpentTime;
}

export const tooLong = (): CochleaError => new CochleaError('recording_too_long');
export const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/** Passes on audio of a permitted duration and closes other audio. @throws CochleaError recording_too_long, recording_invalid */
export const checked = async (staged: StagedAudio, longest: number): Promise<StagedAudio> => {
  if (staged.duration > 0 && staged.duration <= longest) return staged;
  await staged.close();
  throw staged.duration > longest ? tooLong() : invalid('it holds no audio');
};

/** Duration in ms of PCM of 16 bits. */
export const pcmDuration = (bytes: number, rate: number, channels: number): number =>
  (bytes / (2 * channels * rate)) * 1000;

/** PCM of 16 bits in a file. Closing the audio closes the file. */
export const pcmIn = (
  file: ScratchFile,
  { sampleRate, channels }: Pick<StreamFormat, 'sampleRate' | 'channels'>,
  incomplete: string | null = null,
): StagedAudio => ({
  format: { codec: 'pcm16', sampleRate, channels },
  duration: pcmDuration(file.size, sampleRate, channels),
  incomplete,
  frames: () => framedPcm(file.pieces(), sampleRate, channels),
  close: () => file.close(),
});

/** Writes arriving pieces to the disk. `look` sees each piece before it is written. */
export const written = async (
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
