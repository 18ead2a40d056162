import { join } from 'node:path';
import { createRecordingDecoder } from '../../audio/recording/index.js';
import type { Settings } from '../../config/index.js';
import type { RecordingWork, RetainedWork } from '../../pipeline/words/index.js';
import { openRecordingFiles } from '../../service/recordings/index.js';
import { retainedCipher } from '../../stt/storage/index.js';

/**
 * Opens storage and transcription of uploaded recordings in the sidecar. Recordings are encrypted if retained audio is.
 * @throws CochleaError setting_invalid for an invalid key; the error of the file system if the folder cannot be created.
 */
export const openRecordingWork = async (
  settings: Settings,
  { transcription, speakerLanguages }: Pick<RetainedWork, 'transcription' | 'speakerLanguages'>,
): Promise<RecordingWork> => ({
  files: await openRecordingFiles(join(settings.dataDir, 'recordings'), await retainedCipher(settings)),
  decoder: createRecordingDecoder(settings, settings.recordingLength),
  transcription,
  speakerLanguages,
});
