import { loadSettings } from '../../src/config/load-settings.js';
import { createLogger } from '../../src/log/logger.js';
import { MetricsTable } from '../../src/metrics/metrics.js';
import type { RetainedContext } from '../../src/pipeline/words/retained.js';
import type { Sql } from '../../src/store/client/database.js';
import { openArchive } from '../../src/stt/retained/archive.js';
import { openRetainedStore } from '../../src/stt/retained/open-store.js';
import type { SpeechOrigin } from '../../src/stt/shared/provider.js';
import type { TranscriptionClient } from '../../src/stt/shared/transcription-request.js';

export const log = createLogger('test', 'silent');
export const settings = loadSettings({}).values;

/** Makes a transcription service that always returns the same text. */
export const saying = (text: string): TranscriptionClient => ({
  transcribe: async () => ({ outcome: 'success', text, provider: 'local', waited: 0, decoded: 0 }),
  close: async () => undefined,
});

/** Returns the dependencies of the jobs for retained audio, with a given folder. */
export const contextOf = async (
  sql: Sql,
  directory: string,
  transcription: TranscriptionClient,
): Promise<RetainedContext> => ({
  archive: await openArchive(settings, directory),
  place: 'test',
  transcription,
  speakerLanguages: () => ['en', 'fr'],
  sql,
  log,
  signal: new AbortController().signal,
});

/** Retains half a second of audio of the user `ann`. @returns its key. */
export const retain = async (
  directory: string,
  origin: Partial<SpeechOrigin> = {},
  language = 'en',
): Promise<string> => {
  const metrics = new MetricsTable(1).row(0);
  const store = await openRetainedStore({ settings, directory, log, metrics });
  const from = origin.from ?? Date.now() - 60_000;
  const whole: SpeechOrigin = {
    conversation: null,
    source: 'phone',
    device: null,
    platform: null,
    speaker: 'SPEAKER_00',
    speakerId: 0,
    isUser: false,
    personId: null,
    from,
    to: from + 500,
    ...origin,
  };
  const pcm = new Int16Array(8000).fill(100);
  const request = { id: 1, user: 'ann', stream: 's', pcm, start: 0, end: 0.5, language, origin: whole };
  const key = await store.keep(request, 'queue_full');
  await store.close();
  return key!;
};
