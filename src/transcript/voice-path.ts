import { cosine, meanOf } from './voice-vectors.js';

/** Cost of voice changes. Each speaker model has its own values. */
export interface PathRule {
  /** Cost of a voice change. At a pause, the cost is half of this value. */
  readonly change: number;
  /** Time in ms from one window to the next. A longer gap is a pause. */
  readonly hop: number;
}

/** One window, or several consecutive windows of one voice. */
export interface WindowGroup {
  /** Mean of the windows, scaled to length one. */
  readonly embedding: Float32Array;
  /** Times of the middle of the first and of the last window, ms on any clock that does not run backwards. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Number of the voice to which the windows are assigned so far. */
  readonly voice: number;
}

/** Returns the number of windows in groups. */
export const windowsOf = (groups: readonly WindowGroup[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

/** Returns the mean of all windows of the groups, scaled to length one. Needs at least one group. */
export const meanOfGroups = (groups: readonly WindowGroup[]): Float32Array =>
  meanOf(groups.map(({ embedding: vector, count: weight }) => ({ vector, weight })));

/** Returns the sum of the windows' similarities to their common mean. */
export const coherenceOf = (groups: readonly WindowGroup[]): number => {
  const mean = meanOfGroups(groups);
  return groups.reduce((sum, { embedding, count }) => sum + count * cosine(mean, embedding), 0);
};

/** Returns the cost of a voice change before a group. */
export const changeCost = (groups: readonly WindowGroup[], index: number, rule: PathRule): number => {
  const before = groups[index - 1];
  const isPause = before !== undefined && groups[index]!.from - before.to > rule.hop * 1.4;
  return isPause ? rule.change / 2 : rule.change;
};

/**
 * Labels all groups together, as the cheapest path through similarities and voice changes (Viterbi).
 * @param means mean of each voice, scaled to length one.
 * @returns `labels`: for each group, the index of its voice in `means`. `score`: the sum of similarities along the
 * path, minus the cost of changes.
 */
export const bestPath = (
  groups: readonly WindowGroup[],
  means: readonly Float32Array[],
  rule: PathRule,
): { readonly labels: number[]; readonly score: number } => {
  const steps: Uint8Array[] = [];
  let scores = new Float64Array(means.length);
  groups.forEach(({ embedding, count }, index) => {
    const cost = changeCost(groups, index, rule);
    const best = scores.indexOf(Math.max(...scores));
    const next = new Float64Array(means.length);
    const step = new Uint8Array(means.length);
    means.forEach((mean, voice) => {
      const changed = index > 0 && scores[best]! - cost > scores[voice]!;
      step[voice] = changed ? best : voice;
      next[voice] = (changed ? scores[best]! - cost : scores[voice]!) + count * cosine(mean, embedding);
    });
    steps.push(step);
    scores = next;
  });
  const labels = new Array<number>(groups.length);
  const score = Math.max(...scores);
  let at = scores.indexOf(score);
  for (let index = groups.length - 1; index >= 0; index--) {
    labels[index] = at;
    at = steps[index]![at]!;
  }
  return { labels, score };
};
