import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import { findModel } from '../../models/index.js';
import type { RetainedWork } from '../../pipeline/words/index.js';
import { createProviders, PolicyTranscription } from '../../stt/providers/index.js';
import { openArchive } from '../../stt/retained/index.js';
import { connectTranscription } from '../../stt/service/index.js';
import type { TranscriptionClient } from '../../stt/shared/index.js';
import { transcribesHere, transcriptionSocket, transcriptionStarter } from './join-transcription.js';

/** What transcribes retained audio in the sidecar, and what ends its connections. */
export interface OpenRetainedWork extends RetainedWork {
  /** The transcription service of this machine; null where the policy does not have it. */
  readonly local: TranscriptionClient | null;
  close(): Promise<void>;
}

/** The transcription service is joined with the first audio, so that a machine without any starts none. */
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
 * Opens the retained audio of this machine, or the bucket, for the sidecar, and what transcribes it: the providers of the policy.
 * @returns null where no provider of the policy is set up; the audio then waits.
 * @throws CochleaError setting_invalid for a key that is none; file_unreadable for the key of a provider.
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
  const languages = local === null ? [] : (findModel(settings.sttModel).recogniser?.languages ?? []);
  const transcription = new PolicyTranscription({
    order,
    providers,
    local: local && { client: local, supports: (language) => languages.includes(language) },
    settings,
    log,
  });
  return {
    archive,
    // Folders of two machines may have the same path.
    place: settings.retainedBucket === '' ? `${hostname()}:${folder}` : archive.place,
    transcription,
    local,
    close: () => transcription.close(),
  };
};
