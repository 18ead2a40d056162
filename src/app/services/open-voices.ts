import type { MessagePort } from 'node:worker_threads';
import { within } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { type JobsPool, serveVoices, startJobsPool, type VoiceWork } from '../../engine/voices/index.js';
import type { Logger } from '../../log/index.js';
import { modelOptions, voiceModel } from '../../models/index.js';
import { ensureOwnedModel } from '../models/index.js';

/** Ms without further attempts after the speaker model could not be fetched or loaded. */
const pause = 600_000;

/** Maximum ms that a closing engine waits for a pool that is still starting. */
const startTimeout = 500;

/** The diarization of an engine, as its shards use it. It runs in a pool of threads (jobs pool). */
export interface Voices {
  /** Connects a shard through its port. */
  attach(port: MessagePort): void;
  stop(): Promise<void>;
}

/**
 * Diarizes for the shards of an engine. The speaker model is fetched and loaded at the first utterance, so that opening
 * a stream never waits for the model. Without the model, words arrive without speaker labels.
 */
export const openVoices = (settings: Settings, log: Logger): Voices => {
  let pool: Promise<JobsPool> | undefined;
  let stopped = false;
  let retryAt = 0;

  const start = async (): Promise<JobsPool> => {
    await ensureOwnedModel(voiceModel, modelOptions(settings));
    return startJobsPool({ settings });
  };

  const ask = async <Result>(
    work: (pool: JobsPool) => Promise<Result | undefined>,
  ): Promise<Result | undefined> => {
    if (stopped || Date.now() < retryAt) return undefined;
    try {
      pool ??= start();
      return await work(await pool);
    } catch (thrown) {
      if (Date.now() >= retryAt) {
        log.warn({ err: thrown }, 'no diarization: the speaker model cannot be used');
        retryAt = Date.now() + pause;
        const failed = pool;
        pool = undefined;
        void failed?.then((other) => other.stop()).catch(() => undefined);
      }
      return undefined;
    }
  };

  const work: VoiceWork = {
    tell: (job) => ask((jobs) => jobs.tellVoices(job)),
    revise: (history) => ask((jobs) => jobs.reviseVoices(history)),
  };

  return {
    attach: (port) => serveVoices(port, work),
    stop: async () => {
      stopped = true;
      // A pool that is still starting does no work yet. It ends with the process.
      const started = pool?.catch(() => undefined) ?? Promise.resolve(undefined);
      await (await within(started, startTimeout, () => undefined))?.stop();
    },
  };
};
