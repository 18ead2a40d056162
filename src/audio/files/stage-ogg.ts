import { decodedRate } from './container-process.js';
import type { FileParts } from './decode-parts.js';
import { ScratchFile } from './scratch-file.js';
import type { FileCost } from './spent-time.js';
import type { StagedAudio, StagingOptions } from './staging.js';

/**
 * Stages the packets of an Ogg file if all its links are Opus. For any other file, returns the byte ranges of its
 * links, for ffmpeg to decode.
 * @param file is closed if its packets are used.
 * @param start byte at which the audio begins.
 * @throws the errors of `ReadOgg`
 */
export const stageOgg = async (
  file: ScratchFile,
  start: number,
  { folder, longest, signal, user, readOgg }: StagingOptions,
  cost: FileCost,
): Promise<StagedAudio | FileParts> => {
  const frames = await ScratchFile.create(folder);
  try {
    const content = await readOgg({ file, start, frames, longest, signal, user, cost });
    if (content.kind === 'links') {
      await frames.close();
      const parts = content.links.map((link) => ({ start: start + link.start, end: start + link.end }));
      return { container: 'ogg', parts, incomplete: content.incomplete };
    }
    await file.close();
    const { channels, duration, incomplete } = content;
    return {
      format: { codec: 'opus', sampleRate: decodedRate, channels },
      duration,
      incomplete,
      frames: () => frames.pieces(),
      close: () => frames.close(),
    };
  } catch (error) {
    await frames.close();
    throw error;
  }
};
