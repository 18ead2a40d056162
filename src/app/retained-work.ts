import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config/index.js';
import type { Logger } from '../log/index.js';
import type { RetainedWork } from '../pipeline/index.js';
import { connectTranscription, openArchive, type TranscriptionClient } from '../stt/index.js';
import { transcribesHere, transcriptionSocket, transcriptionStarter } from './join-transcription.js';

/** What transcribes retained audio in the sidecar, and what ends its connection. */
export interface OpenRetainedWork extends RetainedWork {
  close(): Promise<void>;
}

/**
 * Opens the retained audio of this machine, or the bucket, for the sidecar. The transcription service is joined with the first audio,
 * so that a machine without any starts none.
 * @returns null where nothing on this machine transcribes; the audio then waits.
 * @throws CochleaError setting_invalid for a key that is none.
 */
export const openRetainedWork = async (settings: Settings, log: Logger): Promise<OpenRetainedWork | null> => {
  if (!transcribesHere(settings)) return null;
  const { dataDir } = settings;
  const folder = join(dataDir, 'audio');
  const archive = await openArchive(settings, folder);
  let client: TranscriptionClient | undefined;
  const connect = (): TranscriptionClient =>
    connectTranscription({
      socket: transcriptionSocket(dataDir),
      log,
      start: transcriptionStarter(settings, log),
    });
  return {
    archive,
    // Folders of two machines may have the same path.
    place: settings.retainedBucket === '' ? `${hostname()}:${folder}` : archive.place,
    transcription: {
      transcribe: (request) => {
        client ??= connect();
        return client.transcribe(request);
      },
      close: async () => client?.close(),
    },
    close: async () => client?.close(),
  };
};
