import { setTimeout as pause } from 'node:timers/promises';

/** Ms between two looks: short at first, since most of what tests wait for is nearly there, then gentle to other processes. */
const shortest = 2;
const longest = 50;

/**
 * Waits for what no event announces: looks again and again until something holds.
 * @param what for the message of the failure; the condition itself where it says enough.
 * @param timeout ms, and never part of what is tested: it only turns a wait without end into a failure.
 * @returns what `look` returned.
 * @throws Error when it did not hold in time, or what `look` throws.
 */
export const until = async <Value>(
  look: () => Promise<Value | undefined | false | null> | Value | undefined | false | null,
  what = String(look),
  timeout = 60_000,
): Promise<Value> => {
  const deadline = Date.now() + timeout;
  for (let wait = shortest; ; wait = Math.min(2 * wait, longest)) {
    const value = await look();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeout} ms`);
    await pause(wait);
  }
};
