import { setTimeout as pause } from 'node:timers/promises';
import { CochleaError } from '../errors/index.js';

const firstPause = 500;
const longestPause = 8000;

/**
 * Returns the ms before the next attempt: the pause that the server requested, or else a pause that doubles with each
 * failure and has a random part.
 */
const pauseBefore = (error: CochleaError, failures: number): number => {
  if (error.code === 'llm_limited') return Number(error.details.seconds) * 1000;
  const whole = Math.min(longestPause, firstPause * 2 ** failures);
  return whole * (0.75 + Math.random() / 4);
};

/**
 * Retries temporary failures, at most `retries` times and never after `until` (ms since the epoch). If a server
 * requests a pause that ends after `until`, the error is thrown immediately.
 */
export const repeating = async <Result>(
  attempt: () => Promise<Result>,
  {
    retries,
    until,
    signal,
  }: { readonly retries: number; readonly until: number; readonly signal: AbortSignal },
): Promise<Result> => {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CochleaError && error.entry.retryable) || failures >= retries) throw error;
      const wait = pauseBefore(error, failures);
      if (Date.now() + wait >= until) throw error;
      await pause(wait, undefined, { signal });
    }
  }
};
