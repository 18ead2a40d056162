import { join } from 'node:path';
import { containerDecoder } from '../audio/files/index.js';
import { createRecordingDecoder } from '../audio/recording/index.js';
import type { Settings } from '../config/index.js';
import { findModel } from '../models/index.js';
import type { VoiceWork } from '../service/index.js';
import type { TranscriptionClient } from '../stt/index.js';

/** What transcribes voice messages in the sidecar, and what ends its threads. */
export interface OpenVoiceWork extends VoiceWork {
  close(): Promise<void>;
}

/** Opens what transcribes voice messages. Their decoder is their own, so that none waits behind an uploaded recording. */
export const openVoiceWork = (
  settings: Settings,
  transcription: Pick<TranscriptionClient, 'transcribe'>,
): OpenVoiceWork => {
  const folder = join(settings.dataDir, 'voice');
  const longest = settings.voiceLength;
  // A thread waits while its message is transcribed: as many messages as there may be each have one.
  const decoder = createRecordingDecoder({ ...settings, jobThreads: settings.maxVoiceMessages }, longest);
  const languages = findModel(settings.sttModel).recogniser?.languages ?? [];
  return {
    folder,
    longest,
    decodeContainer: containerDecoder(settings.ffmpeg, folder),
    decoder,
    transcription,
    provider: 'local',
    model: settings.sttModel,
    supports: (language) => languages.includes(language),
    close: () => decoder.close(),
  };
};
