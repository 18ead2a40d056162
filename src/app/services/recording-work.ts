import { join } from 'node:path';
import { createRecordingDecoder } from '../../audio/recording/index.js';
import type { Settings } from '../../config/index.js';
import type { RecordingWork } from '../../pipeline/words/index.js';
import { openRecordingFiles } from '../../service/recordings/index.js';
import type { TranscriptionClient } from '../../stt/shared/index.js';
import { retainedCipher } from '../../stt/storage/index.js';

/**
 * Opens what takes and transcribes uploaded recordings in the sidecar. They are encrypted where retained audio is.
 * @throws CochleaError setting_invalid for a key that is none; the error of the file system when the folder cannot be made.
 */
export const openRecordingWork = async (
  settings: Settings,
  transcription: TranscriptionClient,
): Promise<RecordingWork> => ({
  files: await openRecordingFiles(join(settings.dataDir, 'recordings'), await retainedCipher(settings)),
  decoder: createRecordingDecoder(settings, settings.recordingLength),
  transcription,
});
