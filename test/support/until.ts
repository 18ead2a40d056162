import { setTimeout as pause } from 'node:timers/promises';

/**
 * Shortest and longest pause in ms between two checks. The first pause is short, because most conditions are fulfilled
 * soon. Later pauses grow, to leave time for other processes.
 */
const shortest = 2;
const longest = 50;

/**
 * Waits for a condition without an event, by repeated checks.
 * @param what description for the failure's message. Default: the source text of the condition.
 * @param timeout ms. It never tests speed; it only turns an endless wait into a failure.
 * @returns the result of `look`.
 * @throws Error after the timeout, or the error that `look` throws.
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
