import { setMaxListeners } from 'node:events';
import type { FrameSample, Verdict } from '../../audio/readability/index.js';
import { UserSums, UserTurns } from '../../common/index.js';
import { LazyPool } from '../../common/threads/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import type { CheckTask } from './check-worker.js';
import type { CheckSample } from './stream-check.js';

/**
 * Pool that judges samples of an engine's streams. A sample is a copy of consecutive frames. The main thread owns the
 * pool.
 */
export interface ReadabilityPool {
  readonly check: CheckSample;
  /** Waits for the sample that is being judged, then ends the thread. Waiting samples resolve with undefined. Idempotent. */
  stop(): Promise<void>;
}

/** Time in ms after which an idle thread ends. Most streams need no judgement. */
const idleTimeout = 60_000;
/** Maximum number of waiting samples of one user. */
const mostOfUser = 8;

/**
 * Creates the pool. Its thread tries to decode samples in several formats, which keeps this work off the main
 * thread and the shards. The first sample starts the thread. Users take turns.
 */
export const openReadabilityPool = (settings: Pick<Settings, 'core'>, log: Logger): ReadabilityPool => {
  const turns = new UserTurns({ most: 1, mostOfUser: 1 });
  const ending = new AbortController();
  // Each waiting sample adds a listener to this signal. Node would otherwise warn of a leak.
  setMaxListeners(fixedLimits.audioSamplesWaiting.value, ending.signal);
  const waiting = new UserSums();
  const pool = new LazyPool(new URL('./check-worker.js', import.meta.url), { idleTimeout });
  let stopped: Promise<void> | undefined;

  const judged = (sample: FrameSample): Promise<Verdict> => {
    const task: CheckTask = { core: settings.core, sample };
    return pool.run(task, { name: 'judgeSample', transferList: [sample.bytes.buffer] });
  };

  return {
    check: async (user, sample) => {
      const full = waiting.all >= fixedLimits.audioSamplesWaiting.value || waiting.of(user) >= mostOfUser;
      if (full || ending.signal.aborted) return undefined;
      waiting.add(user, 1);
      try {
        return await turns.run(user, ending.signal, () => judged(sample));
      } catch (thrown) {
        if (!ending.signal.aborted) log.error({ err: thrown }, 'a sample of a stream was not judged');
        return undefined;
      } finally {
        waiting.add(user, -1);
      }
    },
    stop: () => {
      ending.abort();
      stopped ??= pool.close();
      return stopped;
    },
  };
};
