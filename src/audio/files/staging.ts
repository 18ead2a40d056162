import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { shortPieces } from '../recording/index.js';
import type { DecodeContainer } from './container-decoder.js';
import { framedPcm } from './framed.js';
import type { ReadOgg } from './ogg-thread.js';
import { ScratchFile } from './scratch-file.js';
import type { SpentTime } from './spent-time.js';

/** Audio that lies on the disk, in a form that the core decodes. */
export interface StagedAudio {
  readonly format: StreamFormat;
  /** Ms. */
  readonly duration: number;
  /** Why audio of the file is missing, as in one that is cut off; null where nothing shows that any is. */
  readonly incomplete: string | null;
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
  /** Reads Ogg files. */
  readonly readOgg: ReadOgg;
  /** Gives up what is being decoded. */
  readonly signal: AbortSignal;
  /** Whose turn it is to be decoded. */
  readonly user: string;
  /** Is charged for each file, also where it is refused. */
  readonly spent: SpentTime;
}

export const tooLong = (): CochleaError => new CochleaError('recording_too_long');
export const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/** Closes what is refused. @throws CochleaError recording_too_long, recording_invalid */
export const checked = async (staged: StagedAudio, longest: number): Promise<StagedAudio> => {
  if (staged.duration > 0 && staged.duration <= longest) return staged;
  await staged.close();
  throw staged.duration > longest ? tooLong() : invalid('it holds no audio');
};

/** Ms of PCM of 16 bits. */
export const pcmDuration = (bytes: number, rate: number, channels: number): number =>
  (bytes / (2 * channels * rate)) * 1000;

/** PCM of 16 bits in a file, which is closed with the audio. */
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

/** Writes what arrives to the disk; `look` sees each piece before it is written. */
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
