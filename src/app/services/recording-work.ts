import { join } from 'node:path';
import { createRecordingDecoder } from '../../audio/recording/index.js';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import type { RecordingWork, RetainedWork } from '../../pipeline/words/index.js';
import { moveRecordings, openRecordingFiles, openRecordingObjects } from '../../service/recordings/index.js';
import { bucketObjects, retainedCipher } from '../../stt/storage/index.js';

/** Name of the folder in the data folder, or in the bucket. */
const folderName = 'recordings';

/** Opens the bucket if one is set, otherwise a folder in the data folder. */
const openFiles = async (
  settings: Settings,
  log: Logger,
): Promise<Pick<RecordingWork, 'files' | 'moveEarlier'>> => {
  const cipher = await retainedCipher(settings);
  const folder = join(settings.dataDir, folderName);
  if (settings.bucketUrl === '')
    return { files: await openRecordingFiles(folder, cipher), moveEarlier: null };
  const objects = bucketObjects(settings, folderName);
  return {
    files: openRecordingObjects(objects, cipher, log),
    moveEarlier: (needed, moved, before) => moveRecordings(folder, objects, needed, moved, before),
  };
};

/**
 * Opens storage and transcription of uploaded recordings in the sidecar. Recordings are encrypted if retained audio is
 * encrypted.
 * @throws CochleaError setting_invalid for an invalid key; the error of the file system if the folder cannot be
 * created.
 */
export const openRecordingWork = async (
  settings: Settings,
  { transcription, speakerLanguages }: Pick<RetainedWork, 'transcription' | 'speakerLanguages'>,
  log: Logger,
): Promise<RecordingWork> => ({
  ...(await openFiles(settings, log)),
  decoder: createRecordingDecoder(settings, settings.recordingLength),
  transcription,
  speakerLanguages,
});
