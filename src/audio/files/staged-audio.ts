import { CochleaError } from '../../errors/index.js';
import { FrameFile, framesDuration, parseRecordingName } from '../recording/index.js';
import { isSurelyFile, sniffedBytes } from '../sniff/index.js';
import { peek } from './peek.js';
import { type FileCost, timed } from './spent-time.js';
import { stageContainer } from './stage-container.js';
import {
  checked,
  invalid,
  pcmDuration,
  pcmIn,
  type StagedAudio,
  type StagingOptions,
  tooLong,
  written,
} from './staging.js';

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

/**
 * Takes PCM of 16 bits without a head while it arrives. A file, whose first letters are no samples, is taken as the file that it is.
 * @throws CochleaError recording_invalid, recording_too_long; what `pieces` throws
 */
export const stagePcm = (
  options: StagingOptions,
  pieces: AsyncIterable<Uint8Array>,
  sampleRate: number,
  channels: 1 | 2,
): Promise<StagedAudio> =>
  charged(options, async (cost) => {
    const { head, pieces: all } = await peek(pieces, sniffedBytes);
    return isSurelyFile(head) ? stageNamed(options, all, cost) : writePcm(options, all, sampleRate, channels);
  });

/** Takes an audio file of the form that its first bytes say. */
const stageNamed = async (
  options: StagingOptions,
  pieces: AsyncIterable<Uint8Array>,
  cost: FileCost,
): Promise<StagedAudio> => {
  try {
    return await stageContainer(options, pieces, cost);
  } catch (error) {
    // A file that a command reads is named in its error; here the client knows which one it sent.
    if (error instanceof CochleaError && error.code === 'audio_file_unsupported')
      throw invalid(String(error.details.why));
    throw error;
  }
};

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
    return await checked(pcmIn(file, { sampleRate, channels }), longest);
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
    const incomplete = frames.end();
    return await checked(
      { format, duration, incomplete, frames: () => file.pieces(), close: () => file.close() },
      longest,
    );
  } catch (error) {
    await file.close();
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
  charged(options, async (cost) => {
    if (name.endsWith('.bin')) return stageFrames(options, name, pieces, cost);
    return stageNamed(options, pieces, cost);
  });
