import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../log/index.js';

/** Pause in ms before the next round. It follows a round that found no work or failed. */
const pause = 2000;

/** Outcome of a round. `worked`: more work may follow. `idle`: no work for now. `done`: no work will ever follow. */
export type Round = 'worked' | 'idle' | 'done';

/**
 * Repeats a round of work in the background. Stops when a round returns `done`, or when the returned function is
 * called.
 * @param failure log message for a round that throws. The round is retried after a pause.
 * @returns an idempotent function that ends the rounds. Its promise resolves when no round is running.
 */
export const startRounds = (
  round: () => Promise<Round>,
  failure: string,
  log: Logger,
): (() => Promise<void>) => {
  const closing = new AbortController();
  const { signal } = closing;
  const work = async (): Promise<void> => {
    // Waits first, because a starting process keeps its thread busy for a second or more. A statement that waits for the thread would be
    // logged as slow.
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
