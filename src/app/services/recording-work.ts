import { join } from 'node:path';
import { createRecordingDecoder } from '../../audio/recording/index.js';
import type { Settings } from '../../config/load-settings.js';
import type { RecordingWork } from '../../pipeline/index.js';
import { openRecordingFiles } from '../../service/index.js';
import { retainedCipher, type TranscriptionClient } from '../../stt/index.js';

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
