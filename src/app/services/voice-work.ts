import { join } from 'node:path';
import { containerDecoder, createOggThread } from '../../audio/files/index.js';
import { createRecordingDecoder } from '../../audio/recording/index.js';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import { type InstalledModels, installedModels } from '../../models/index.js';
import type { VoiceWork } from '../../service/voice/index.js';
import {
  BatchRecogniser,
  batchServiceOf,
  PolicyRecognisers,
  type Recogniser,
  speakerLanguages,
} from '../../stt/providers/index.js';
import { knowsLanguage, type TranscriptionClient } from '../../stt/shared/index.js';

/**
 * Maximum number of child processes that decode files. It is high, so that a few users cannot occupy all of them. The
 * processes have a low priority.
 */
const mostChildren = 8;

/** Transcribes voice messages in the sidecar. `close` ends its threads and connections. */
export interface OpenVoiceWork extends VoiceWork {
  close(): Promise<void>;
}

/** Returns a recogniser that uses the transcription service of this machine. */
const localRecogniser = (
  models: InstalledModels,
  client: Pick<TranscriptionClient, 'transcribe'>,
): Recogniser => ({
  name: 'local',
  // The best model transcribes voice messages.
  get model() {
    return models.present().at(-1)!;
  },
  supports: (language) => knowsLanguage(models.languages(), language),
  transcribe: (request) => client.transcribe(request),
});

/**
 * Opens transcription of voice messages with the providers of `STT_SERVICE_MODELS` that accept whole files, in order.
 * Voice messages have their own decoders, so that no message waits for an uploaded recording.
 * @param local the transcription service of this machine; null if there is none.
 * @returns null if no provider of this deployment can transcribe voice messages.
 * @throws CochleaError file_unreadable for a provider's key file.
 */
export const openVoiceWork = (
  settings: Settings,
  local: Pick<TranscriptionClient, 'transcribe'> | null,
  log: Logger,
): OpenVoiceWork | null => {
  if (settings.stt === 'discard') return null;
  const models = installedModels(settings);
  const hosted: BatchRecogniser[] = [];
  const recognisers = settings.sttModels.flatMap((name): Recogniser[] => {
    if (name === 'local') return local === null ? [] : [localRecogniser(models, local)];
    const service = batchServiceOf(name, settings);
    if (service === null) return [];
    const recogniser = new BatchRecogniser(service, { settings, log });
    hosted.push(recogniser);
    return [recogniser];
  });
  const [first] = recognisers;
  if (first === undefined) return null;
  const folder = join(settings.dataDir, 'voice');
  const longest = settings.voiceLength;
  // Each message or stream occupies a thread while it is transcribed. The pool therefore has one thread for each
  // permitted message and stream.
  const jobThreads = settings.maxVoiceMessages + settings.maxVoiceStreams;
  const decoder = createRecordingDecoder({ ...settings, jobThreads }, longest);
  const ogg = createOggThread();
  return {
    folder,
    longest,
    readOgg: ogg.read,
    decodeContainer: containerDecoder({
      program: settings.ffmpeg,
      folder,
      atOnce: Math.min(settings.maxVoiceMessages, mostChildren),
      log,
    }),
    decoder,
    transcription: new PolicyRecognisers(recognisers),
    provider: first.name,
    speakerLanguages: speakerLanguages(settings, models),
    supports: (language) => recognisers.some(({ supports }) => supports(language)),
    close: async () => {
      await Promise.all([decoder.close(), ogg.close(), ...hosted.map((recogniser) => recogniser.close())]);
    },
  };
};
