import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { longPieces, shortPieces } from '../recording/index.js';
import type { DecodeContainer } from './container-decoder.js';
import { framedPcm } from './framed.js';
import type { ReadOgg } from './ogg-thread.js';
import { ScratchFile } from './scratch-file.js';
import type { SpentTime } from './spent-time.js';

/** Audio on the disk in a format that the core decodes. */
export interface StagedAudio {
  readonly format: StreamFormat;
  /** Duration in ms. */
  readonly duration: number;
  /** Why audio of the file is missing, for example because it is cut off; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
  /** Yields pieces with frames. Before each frame is its length. */
  frames(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Deletes the audio. A second call does nothing. */
  close(): Promise<void>;
}

export interface StagingOptions {
  /** Folder for unnamed temporary files. */
  readonly folder: string;
  /** Maximum duration of the audio of one file, in ms. */
  readonly longest: number;
  /** Decodes files whose format the core cannot decode. */
  readonly decodeContainer: DecodeContainer;
  /** Reads Ogg files. */
  readonly readOgg: ReadOgg;
  /** Cancels the decoding in progress. */
  readonly signal: AbortSignal;
  /** Id of the user who sent the file. Users take turns at decoding. */
  readonly user: string;
  /** Receives the cost of each file, even if the file is refused. */
  readonly spent: SpentTime;
}

export const tooLong = (): CochleaError => new CochleaError('recording_too_long');
export const invalid = (why: string): CochleaError => new CochleaError('recording_invalid', { why });

/**
 * Returns `staged` if its duration is permitted; otherwise closes it and throws.
 * @throws CochleaError recording_too_long, recording_invalid
 */
export const checked = async (staged: StagedAudio, longest: number): Promise<StagedAudio> => {
  if (staged.duration > 0 && staged.duration <= longest) return staged;
  await staged.close();
  throw staged.duration > longest ? tooLong() : invalid('it holds no audio');
};

/** Returns the duration in ms of PCM of 16 bits. */
export const pcmDuration = (bytes: number, rate: number, channels: number): number =>
  (bytes / (2 * channels * rate)) * 1000;

/** Returns PCM of 16 bits in a file as staged audio. Closing the audio closes the file. */
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

/**
 * Yields the pieces unchanged. Before it yields a piece, it calls `look` with the piece and the number of bytes before
 * the piece.
 */
async function* lookedAt(
  pieces: AsyncIterable<Uint8Array>,
  look: (piece: Uint8Array, before: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let before = 0;
  for await (const piece of pieces) {
    look(piece, before);
    before += piece.length;
    yield piece;
  }
}

/**
 * Writes arriving pieces to a new file. Before it writes a piece, it calls `look` with the piece and the number of
 * bytes before the piece.
 */
export const written = async (
  folder: string,
  pieces: AsyncIterable<Uint8Array>,
  look: (piece: Uint8Array, before: number) => void,
): Promise<ScratchFile> => {
  const file = await ScratchFile.create(folder);
  try {
    for await (const piece of longPieces(lookedAt(shortPieces(pieces), look))) await file.append(piece);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};
