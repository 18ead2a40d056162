import { createHash, randomUUID } from 'node:crypto';
import type { StagedAudio } from '../../audio/files/index.js';
import { firstCharacters, storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ReceivedRecording } from './receive-recording.js';
import type { RecordingFiles } from './recording-files.js';

/** Maximum characters of a file's name that are stored. */
const longestName = 200;
/** Maximum ms by which a user's clock may be ahead of this machine's clock. */
const aheadOfUs = 300_000;

/** The facts that a user states about an imported audio file. */
export interface ImportedFile {
  /** The name of the file. It can be any text. */
  readonly name: string;
  /** Wall clock of the first sample, ms. */
  readonly startedAt: number;
}

/** Checks the start of an imported file. @param now wall clock, ms. @throws CochleaError recording_name_invalid */
export const checkStart = (startedAt: number, now: number): void => {
  if (startedAt > now + aheadOfUs)
    throw new CochleaError('recording_name_invalid', {
      why: 'its time is in the future',
      remedy: 'Give the time at which the recording began.',
    });
};

/** Maximum number of frames in a second of audio. */
const framesPerSecond = 400;
/** Number of bytes before each frame that contain its length. */
const lengthBytes = 4;

/**
 * Returns the maximum size in bytes of the recording that is made from an audio file (staged audio). PCM that was
 * decoded from a file may be larger than the file; Opus packets are not.
 * @param received maximum bytes of the file.
 */
export const storedBytes = ({ format, duration }: StagedAudio, received: number): number => {
  const { codec, sampleRate, channels } = format;
  const seconds = duration / 1000;
  const audio = codec === 'pcm16' ? seconds * 2 * sampleRate * channels : received;
  return Math.ceil(audio + seconds * framesPerSecond * lengthBytes);
};

/**
 * Stores the frames of an audio file as a recording.
 * @returns the facts about the recording. The caller must remove the file if it stores no row that refers to it.
 * @throws errors of the storage. After an error no file is left.
 */
export const importRecording = async (
  files: RecordingFiles,
  staged: StagedAudio,
  { name, startedAt }: ImportedFile,
): Promise<ReceivedRecording> => {
  const hash = createHash('sha256');
  const writer = await files.create();
  let bytes = 0;
  try {
    for await (const piece of staged.frames()) {
      bytes += piece.length;
      hash.update(piece);
      await writer.write(piece);
    }
    await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
  return {
    id: randomUUID(),
    file: writer.id,
    digest: hash.digest(),
    bytes,
    startedAt,
    clock: 'device',
    duration: staged.duration,
    counted: staged.duration,
    format: staged.format,
    source: 'unknown',
    name: storableText(firstCharacters(name, longestName)),
    incomplete: staged.incomplete,
  };
};
