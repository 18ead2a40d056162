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

/** Stages one file, and adds its cost to `spent` even if the file is refused. */
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
 * Stages headerless PCM of 16 bits as it arrives. If the data begins like an audio file, stages it as that kind of
 * file.
 * @throws CochleaError recording_invalid, recording_too_long; the errors of `pieces`
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

/** Stages an audio file whose first bytes determine its format. */
const stageNamed = async (
  options: StagingOptions,
  pieces: AsyncIterable<Uint8Array>,
  cost: FileCost,
): Promise<StagedAudio> => {
  try {
    return await stageContainer(options, pieces, cost);
  } catch (error) {
    // For the command line, the error's message names the file. A client knows which file it sent, so it gets only the
    // reason.
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
 * Stages a `.bin` file of frames as it arrives. Checks the length of each frame without decoding. Each frame counts as
 * at least the duration of the shortest frame of any codec, because decoding an invalid frame takes work, too.
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
 * Stages an audio file as it arrives. A `.bin` file consists of frames; the first bytes of any other file determine its
 * format. Stores nothing of a refused file.
 * @param name the file name that the client sent.
 * @throws CochleaError recording_name_invalid, recording_invalid, recording_too_long; the errors of `pieces` and
 *   `decodeContainer`
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
