import type { Container } from '../sniff/index.js';
import type { ByteRange } from '../wav/index.js';
import type { DecodedFile } from './container-decoder.js';
import { decodedRate } from './container-process.js';
import { checkParts, type FoundLength, partsOf } from './file-parts.js';
import { ScratchFile } from './scratch-file.js';
import type { FileCost } from './spent-time.js';
import { pcmDuration, type StagingOptions } from './staging.js';

/** The parts of an uploaded file that ffmpeg decodes. */
export interface FileParts {
  readonly container: Container;
  /** File that contains the audio, if it is not the uploaded file. `decodeParts` closes this file. */
  readonly source?: ScratchFile;
  /** Byte ranges of the joined files; undefined if `partsOf` must find them in the container. */
  readonly parts: readonly ByteRange[] | undefined;
  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

/** Copies a byte range of a file into a new file. The caller closes the new file. */
const cut = async (file: ScratchFile, { start, end }: ByteRange, folder: string): Promise<ScratchFile> => {
  const part = await ScratchFile.create(folder);
  try {
    for await (const piece of file.pieces(start, end)) await part.append(piece);
    return part;
  } catch (error) {
    await part.close();
    throw error;
  }
};

/** Corrects length fields of a file. The program that wrote the file did not know these lengths yet. */
const giveLengths = async (file: ScratchFile, lengths: readonly FoundLength[]): Promise<void> => {
  for (const { at, bytes } of lengths) {
    const length = Buffer.alloc(8);
    length.writeBigInt64BE(BigInt(bytes));
    await file.overwrite(at, length);
  }
};

/**
 * Decodes the files that are joined in one file, one after the other, as mono PCM of 16 bits and 16 kHz.
 * @param start byte at which the first joined file begins.
 * @throws CochleaError recording_invalid, recording_too_long; the errors of `decodeContainer`.
 */
export const decodeParts = async (
  file: ScratchFile,
  start: number,
  { container, source = file, ...given }: FileParts,
  options: StagingOptions,
  cost: FileCost,
): Promise<DecodedFile> => {
  try {
    const { parts, incomplete, lengths } =
      given.parts === undefined
        ? await partsOf(source, container, start)
        : { parts: given.parts, incomplete: given.incomplete, lengths: [] };
    checkParts(parts.length);
    await giveLengths(source, lengths);
    const decoded =
      parts.length === 1 && parts[0]!.start === 0 && parts[0]!.end === source.size
        ? await decodeWhole(source, container, options, cost)
        : await decodeEach(source, parts, container, options, cost);
    return { file: decoded.file, incomplete: incomplete ?? decoded.incomplete };
  } finally {
    if (source !== file) await source.close();
  }
};

const decodeWhole = (
  file: ScratchFile,
  container: Container,
  { longest, signal, user, decodeContainer }: StagingOptions,
  cost: FileCost,
): Promise<DecodedFile> => decodeContainer({ file, container, longest, signal, user, cost });

const decodeEach = async (
  file: ScratchFile,
  parts: readonly ByteRange[],
  container: Container,
  options: StagingOptions,
  cost: FileCost,
): Promise<DecodedFile> => {
  const all = await ScratchFile.create(options.folder);
  let incomplete: string | null = null;
  try {
    for (const range of parts) {
      const longest = options.longest - pcmDuration(all.size, decodedRate, 1);
      const part = await cut(file, range, options.folder);
      try {
        const decoded = await decodeWhole(part, container, { ...options, longest }, cost);
        incomplete ??= decoded.incomplete;
        await append(all, decoded.file);
      } finally {
        await part.close();
      }
    }
    return { file: all, incomplete };
  } catch (error) {
    await all.close();
    throw error;
  }
};

/** Appends the bytes of `part` to `all`, and closes `part`. */
const append = async (all: ScratchFile, part: ScratchFile): Promise<void> => {
  try {
    for await (const piece of part.pieces()) await all.append(piece);
  } finally {
    await part.close();
  }
};
