import { setTimeout as pause } from 'node:timers/promises';
import { realClock } from '../../src/app/wearable/pace.js';

/** Maximum ms from the last frame until the last words must arrive. */
export const lastWords = 30_000;

/** After so many ms without a message, the last words count as arrived. */
const lastSilence = 12_000;

/**
 * Waits until the last words of a stream have arrived: until no message has come for `lastSilence` ms.
 * @param lastMessage returns the time of the latest message, in ms of `realClock`.
 */
export const untilLastWords = async (lastMessage: () => number): Promise<void> => {
  const until = realClock.now() + lastWords;
  while (realClock.now() < until && realClock.now() - lastMessage() < lastSilence) await pause(100);
};
