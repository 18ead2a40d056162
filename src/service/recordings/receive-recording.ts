import { createHash, randomUUID } from 'node:crypto';
import { FrameFile, framesDuration, parseRecordingName, shortPieces } from '../../audio/recording/index.js';
import { CochleaError } from '../../errors/index.js';
import type { UploadedFile } from '../../store/uploads/index.js';
import type { RecordingFiles } from './recording-files.js';

/** A recording whose file is stored. No database row refers to the file yet. */
export interface ReceivedRecording extends Omit<UploadedFile, 'conversation'> {
  /**
   * Duration in ms that counts towards the user's limit of audio. Invalid frames count too, because they also take
   * work.
   */
  readonly counted: number;
}

/**
 * Stores a recording as it arrives. Checks the name before reading anything, the length of each frame as it arrives,
 * and the audio's duration from the frame headers. Decodes nothing.
 * @param longest maximum ms of audio.
 * @returns the facts about the recording. The caller must remove the file if it stores no row that refers to it.
 * @throws CochleaError recording_name_invalid, recording_invalid, recording_too_long; errors of `pieces`. After an
 * error no file is left.
 */
export const receiveRecording = async (
  files: RecordingFiles,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  longest: number,
): Promise<ReceivedRecording> => {
  const said = parseRecordingName(name, Date.now());
  const frames = new FrameFile();
  const hash = createHash('sha256');
  const writer = await files.create();
  let bytes = 0;
  let duration = 0;
  let counted = 0;
  let incomplete: string | null = null;
  try {
    for await (const piece of shortPieces(pieces)) {
      const read = framesDuration(said.format, frames.read(piece));
      duration += read.lasts;
      counted += read.counted;
      if (counted > longest) throw new CochleaError('recording_too_long');
      bytes += piece.length;
      hash.update(piece);
      await writer.write(piece);
    }
    incomplete = frames.end();
    await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
  return {
    ...said,
    id: randomUUID(),
    file: writer.id,
    digest: hash.digest(),
    bytes,
    duration,
    counted,
    name,
    incomplete,
  };
};
