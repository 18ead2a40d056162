import { join } from 'node:path';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import { installedModels } from '../../models/index.js';
import type { RetainedWork } from '../../pipeline/words/index.js';
import { createProviders, PolicyTranscription, speakerLanguages } from '../../stt/providers/index.js';
import { openArchive } from '../../stt/retained/index.js';
import { connectTranscription } from '../../stt/service/index.js';
import { knowsLanguage, type TranscriptionClient } from '../../stt/shared/index.js';
import { placeOfFolder } from '../../stt/storage/index.js';
import { transcribesHere } from '../models/index.js';
import { transcriptionSocket, transcriptionStarter } from './join-transcription.js';

/** Transcribes retained audio in the sidecar. `close` ends its connections. */
export interface OpenRetainedWork extends RetainedWork {
  /** The transcription service of this machine; null if `STT_SERVICE_MODELS` does not include `local`. */
  readonly local: TranscriptionClient | null;
  close(): Promise<void>;
}

/**
 * Returns a client that connects to the transcription service at the first audio. Without retained audio, no service is
 * started.
 */
const joinLater = (settings: Settings, log: Logger): TranscriptionClient => {
  let client: TranscriptionClient | undefined;
  return {
    transcribe: (request) => {
      client ??= connectTranscription({
        socket: transcriptionSocket(settings.dataDir),
        log,
        start: transcriptionStarter(settings, log),
      });
      return client.transcribe(request);
    },
    close: async () => client?.close(),
  };
};

/**
 * Opens the sidecar's transcription of retained audio, from this machine or from the bucket, with the providers of
 * `STT_SERVICE_MODELS`.
 * @returns null if none of these providers is configured; the audio then waits.
 * @throws CochleaError setting_invalid for an invalid encryption key; file_unreadable for a provider's key file.
 */
export const openRetainedWork = async (settings: Settings, log: Logger): Promise<OpenRetainedWork | null> => {
  if (settings.stt === 'discard') return null;
  const { dataDir, sttModels: order } = settings;
  const overNetwork = { ...settings, sttModels: order.filter((name) => name !== 'local') };
  const providers = await createProviders(overNetwork, [], log);
  const local = transcribesHere(settings) ? joinLater(settings, log) : null;
  if (local === null && !order.some((name) => providers.has(name))) return null;
  const folder = join(dataDir, 'audio');
  const archive = await openArchive(settings, folder);
  const models = installedModels(settings);
  const transcription = new PolicyTranscription({
    order,
    providers,
    local: local && {
      client: local,
      supports: (language) => knowsLanguage(models.languages(), language),
    },
    settings,
    log,
  });
  return {
    archive,
    place: settings.bucketUrl === '' ? await placeOfFolder(folder) : archive.place,
    transcription,
    speakerLanguages: speakerLanguages(settings, models),
    local,
    close: () => transcription.close(),
  };
};
