import { cosine, meanOf } from './voice-vectors.js';

/** What a change of voice costs; part of the speaker model. */
export interface PathRule {
  /** Cost of a change of voice; at a pause it is half of that. */
  readonly change: number;
  /** From one window to the next, ms; a longer gap is a pause. */
  readonly hop: number;
}

/** One window, or several in a row of one voice. */
export interface WindowGroup {
  /** Mean, of length one. */
  readonly embedding: Float32Array;
  /** Middle of the first and of the last window, ms on any clock that does not run backwards. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Whose voice they were taken for so far. */
  readonly voice: number;
}

/** Windows of groups. */
export const windowsOf = (groups: readonly WindowGroup[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

/** The mean of the windows of groups, of length one. There has to be at least one. */
export const meanOfGroups = (groups: readonly WindowGroup[]): Float32Array =>
  meanOf(groups.map(({ embedding: vector, count: weight }) => ({ vector, weight })));

/** The similarities of windows to their own mean, in sum. */
export const coherenceOf = (groups: readonly WindowGroup[]): number => {
  const mean = meanOfGroups(groups);
  return groups.reduce((sum, { embedding, count }) => sum + count * cosine(mean, embedding), 0);
};

/** What a change of voice before a group costs. */
export const changeCost = (groups: readonly WindowGroup[], index: number, rule: PathRule): number => {
  const before = groups[index - 1];
  const isPause = before !== undefined && groups[index]!.from - before.to > rule.hop * 1.4;
  return isPause ? rule.change / 2 : rule.change;
};

/**
 * The labels of all groups together, as the path of least cost through similarity and changes of voice (Viterbi).
 * @param means of the voices, of length one.
 * @returns the number in `means` of the voice of each group, and the similarities along the path, less what its changes cost.
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
