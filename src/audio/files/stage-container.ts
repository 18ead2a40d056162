import { type Container, containerOf, sniffedBytes, tagBytes } from '../sniff/index.js';
import { decodedRate } from './container-process.js';
import { decodeParts } from './decode-parts.js';
import type { ScratchFile } from './scratch-file.js';
import type { FileCost } from './spent-time.js';
import { stageOgg } from './stage-ogg.js';
import { stageWav } from './stage-wav.js';
import { checked, invalid, pcmIn, type StagedAudio, type StagingOptions, written } from './staging.js';

/** Maximum number of tags before the audio of a file. */
const mostTags = 10;

const forms = 'WAV, W64, AIFF, CAF, AU, FLAC, Ogg, WebM, Matroska, MP4, M4A, AAC, MP3 or AMR';
const unknown = () => invalid(`it is not an audio file of a known format: ${forms}`);

/**
 * Returns the container format of a file, and the byte at which its audio begins. Tags of music programs may precede
 * the audio.
 */
const sniff = async (file: ScratchFile): Promise<{ container: Container; start: number }> => {
  let start = 0;
  let head = await file.read(start, sniffedBytes);
  for (let tags = 0; tags < mostTags && tagBytes(head) > 0; tags++) {
    start += tagBytes(head);
    head = await file.read(start, sniffedBytes);
  }
  const container = containerOf(head);
  if (container !== null) return { container, start };
  // A few other bytes may lie between the tag and the first MP3 frame, so the search begins at the tag.
  if (start > 0) return { container: 'mp3', start: 0 };
  throw unknown();
};

/**
 * Writes an audio file to the disk while it arrives, and decodes it if the audio core cannot. The first bytes of the
 * file determine its format.
 * @throws CochleaError recording_invalid, audio_file_unsupported, recording_too_long; the errors of `pieces` and
 *   `decodeContainer`
 */
export const stageContainer = async (
  options: StagingOptions,
  pieces: AsyncIterable<Uint8Array>,
  cost: FileCost,
): Promise<StagedAudio> => {
  const file = await written(options.folder, pieces, (piece, before) => {
    // If the first piece is too short for this check, the format is checked when the file is complete.
    if (before === 0 && piece.length >= sniffedBytes && containerOf(piece) === null) throw unknown();
  });
  try {
    const { container, start } = await sniff(file);
    const native =
      container === 'wav'
        ? await stageWav(file, start, options)
        : container === 'ogg'
          ? await stageOgg(file, start, options, cost)
          : ({ container, parts: undefined, incomplete: null } as const);
    if ('format' in native) return await checked(native, options.longest);
    const decoded = await decodeParts(file, start, native, options, cost);
    await file.close();
    return await checked(
      pcmIn(decoded.file, { sampleRate: decodedRate, channels: 1 }, decoded.incomplete),
      options.longest,
    );
  } catch (error) {
    await file.close();
    throw error;
  }
};
