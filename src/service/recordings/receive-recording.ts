import { createHash, randomUUID } from 'node:crypto';
import { FrameFile, framesDuration, parseRecordingName, shortPieces } from '../../audio/recording/index.js';
import { CochleaError } from '../../errors/index.js';
import type { UploadedFile } from '../../store/uploads/index.js';
import type { RecordingFiles } from './recording-files.js';

/** A recording whose file is on the disk; nothing refers to it yet. */
export type ReceivedRecording = Omit<UploadedFile, 'conversation'>;

/**
 * Writes a recording to the disk while it arrives. Its name is checked before anything of it is read, each frame's length as it comes, and
 * how long its audio lasts by the heads of the frames; nothing is decoded.
 * @param longest ms of audio.
 * @returns what is known of it; the caller removes the file when it does not refer to it.
 * @throws CochleaError recording_name_invalid, recording_invalid, recording_too_long, and what `pieces` throws; then nothing is left.
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
    name,
    incomplete,
  };
};
