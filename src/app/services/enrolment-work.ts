import { join } from 'node:path';
import { containerDecoder, createOggThread } from '../../audio/files/index.js';
import { createRecordingDecoder } from '../../audio/recording/index.js';
import type { Settings } from '../../config/index.js';
import { type JobsPool, startJobsPool } from '../../engine/voices/index.js';
import type { Logger } from '../../log/index.js';
import { modelOptions, speakerModel, voiceModel } from '../../models/index.js';
import type { EnrolmentWork } from '../../service/voice/index.js';
import { ensureOwnedModel } from '../models/index.js';

/** Number of ms without an enrolment after which the speaker model is freed. */
const idle = 60_000;
/** Maximum number of child processes that decode files at the same time. */
const children = 2;

/** Computes voice profiles in the sidecar. `close` ends its threads. */
export interface OpenEnrolmentWork extends EnrolmentWork {
  close(): Promise<void>;
}

/** Opens the computation of voice profiles. The first recording loads the speaker model into a separate thread. */
export const openEnrolmentWork = (settings: Settings, log: Logger): OpenEnrolmentWork => {
  const folder = join(settings.dataDir, 'voice');
  const longest = settings.voiceProfileLength;
  const decoder = createRecordingDecoder({ ...settings, jobThreads: 1 }, longest);
  const ogg = createOggThread();
  let pool: Promise<JobsPool> | undefined;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  const start = async (): Promise<JobsPool> => {
    await ensureOwnedModel(voiceModel, modelOptions(settings));
    return startJobsPool({ settings: { ...settings, jobThreads: 1 } });
  };
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    const stopped = pool;
    pool = undefined;
    await (await stopped?.catch(() => undefined))?.stop();
  };

  return {
    folder,
    longest,
    decodeContainer: containerDecoder({ program: settings.ffmpeg, folder, atOnce: children, log }),
    readOgg: ogg.read,
    decoder,
    model: voiceModel,
    leastSpeech: speakerModel(voiceModel).rule.profileSpeech,
    embed: async (pcm) => {
      clearTimeout(timer);
      running++;
      pool ??= start();
      const used = pool;
      try {
        // If the model was unavailable, the next recording requests it again. A failed recording does not end the
        // threads, because they may be working on other recordings.
        const started = await used.catch((thrown: unknown) => {
          if (pool === used) pool = undefined;
          throw thrown;
        });
        return await started.enrolVoice(pcm);
      } finally {
        running--;
        if (running === 0) timer = setTimeout(() => void stop(), idle).unref();
      }
    },
    close: async () => {
      await stop();
      await Promise.all([decoder.close(), ogg.close()]);
    },
  };
};
