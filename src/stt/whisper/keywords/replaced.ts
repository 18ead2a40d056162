import type { Trial } from './trials.js';

/** Tokens of a text with their times in seconds. */
export interface TimedIds {
  readonly ids: readonly number[];
  readonly timestamps: readonly number[];
  readonly durations: readonly number[];
}

/**
 * Returns a text with keywords in place of other tokens. The tokens of a keyword divide the time of the replaced tokens
 * equally.
 * @param trials in the order of the text, without overlaps.
 */
export const replaced = (
  { ids, timestamps, durations }: TimedIds,
  trials: readonly Pick<Trial, 'from' | 'to' | 'replacement'>[],
): TimedIds => {
  const result = { ids: [...ids], timestamps: [...timestamps], durations: [...durations] };
  for (const { from, to, replacement } of trials.toReversed()) {
    const start = timestamps[from]!;
    const each = (timestamps[to - 1]! + durations[to - 1]! - start) / replacement.length;
    result.ids.splice(from, to - from, ...replacement);
    result.timestamps.splice(from, to - from, ...replacement.map((_, index) => start + index * each));
    result.durations.splice(from, to - from, ...replacement.map(() => each));
  }
  return result;
};
