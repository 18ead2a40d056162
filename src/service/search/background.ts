import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../log/index.js';

/** Ms between two rounds when there was nothing to do, or when it could not be done. */
const pause = 2000;

/** What a round found: work that may have more after it, none for now, or none ever again. */
export type Round = 'worked' | 'idle' | 'done';

/**
 * Repeats a round in the background until it says `done` or is ended.
 * @param failure is logged, with the error, when a round throws; it is tried again after a pause.
 * @returns what ends it; resolves when no round is under way. Idempotent.
 */
export const startRounds = (
  round: () => Promise<Round>,
  failure: string,
  log: Logger,
): (() => Promise<void>) => {
  const closing = new AbortController();
  const { signal } = closing;
  const work = async (): Promise<void> => {
    // A process that starts keeps its thread busy for a second or more, and a statement that waits for it would be reported as slow.
    await wait(pause, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      const went = await round().catch((error: unknown): Round => {
        if (!signal.aborted) log.warn({ err: error }, failure);
        return 'idle';
      });
      if (went === 'done') return;
      if (went === 'idle') await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  };
  const working = work();
  return () => {
    closing.abort();
    return working;
  };
};
