import { cosine, meanOf } from './voice-vectors.js';

/** Values by which the voices of a whole conversation are decided anew; part of the speaker model. Durations are ms. */
export interface RevisionRule {
  /** Cost of a change of voice; at a pause it is half of that. */
  readonly change: number;
  /** From one window to the next; a longer gap is a pause. */
  readonly hop: number;
  /** Voices that are more similar than this are one. */
  readonly merge: number;
  /** The same for a voice of fewer windows than `few`, whose mean says less. */
  readonly mergeFew: number;
  readonly few: number;
  /** A voice of fewer windows goes to the others. */
  readonly small: number;
  /** Times that means and labels are computed from one another at most. */
  readonly rounds: number;
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

interface Cluster {
  readonly voice: number;
  readonly mean: Float32Array;
  readonly windows: number;
}

const clustersOf = (groups: readonly WindowGroup[], labels: readonly number[]): Cluster[] =>
  [...new Set(labels)]
    .sort((one, other) => one - other)
    .map((voice) => {
      const own = groups.filter((_, index) => labels[index] === voice);
      return {
        voice,
        mean: meanOf(own.map(({ embedding: vector, count: weight }) => ({ vector, weight }))),
        windows: own.reduce((sum, { count }) => sum + count, 0),
      };
    });

/** The labels of all windows together, as the path of least cost through similarity and changes of voice (Viterbi). */
const decide = (
  groups: readonly WindowGroup[],
  clusters: readonly Cluster[],
  rule: RevisionRule,
): number[] => {
  const steps: Uint8Array[] = [];
  let scores = new Float64Array(clusters.length);
  groups.forEach(({ embedding, from, count }, index) => {
    const pause = index > 0 && from - groups[index - 1]!.to > rule.hop * 1.4;
    const cost = pause ? rule.change / 2 : rule.change;
    const best = scores.indexOf(Math.max(...scores));
    const next = new Float64Array(clusters.length);
    const step = new Uint8Array(clusters.length);
    clusters.forEach(({ mean }, voice) => {
      const changed = index > 0 && scores[best]! - cost > scores[voice]!;
      step[voice] = changed ? best : voice;
      next[voice] = (changed ? scores[best]! - cost : scores[voice]!) + count * cosine(mean, embedding);
    });
    steps.push(step);
    scores = next;
  });
  const labels = new Array<number>(groups.length);
  let at = scores.indexOf(Math.max(...scores));
  for (let index = groups.length - 1; index >= 0; index--) {
    labels[index] = clusters[at]!.voice;
    at = steps[index]![at]!;
  }
  return labels;
};

const settle = (groups: readonly WindowGroup[], before: readonly number[], rule: RevisionRule): number[] => {
  let labels = [...before];
  for (let round = 0; round < rule.rounds; round++) {
    const next = decide(groups, clustersOf(groups, labels), rule);
    const same = next.every((voice, index) => voice === labels[index]);
    labels = next;
    if (same) break;
  }
  return labels;
};

/** Two voices that are one, the one that stays first: the more similar, the sooner. Two that are known to be different people are not one. */
const alike = (
  clusters: readonly Cluster[],
  rule: RevisionRule,
  named: ReadonlyMap<number, string>,
): readonly [stays: number, goes: number] | undefined => {
  let found: readonly [number, number] | undefined;
  let most = 0;
  clusters.forEach((one, index) => {
    for (const other of clusters.slice(index + 1)) {
      const [first, second] = [named.get(one.voice), named.get(other.voice)];
      if (first !== undefined && second !== undefined && first !== second) continue;
      const isFew = Math.min(one.windows, other.windows) < rule.few;
      const beyond = cosine(one.mean, other.mean) - (isFew ? rule.mergeFew : rule.merge);
      if (beyond <= most) continue;
      most = beyond;
      found =
        first === undefined && second !== undefined ? [other.voice, one.voice] : [one.voice, other.voice];
    }
  });
  return found;
};

/** Joins voices that are one and gives away those with little speech, until there is nothing of either. */
const reduce = (
  groups: readonly WindowGroup[],
  before: readonly number[],
  rule: RevisionRule,
  named: ReadonlyMap<number, string>,
): number[] => {
  let labels = [...before];
  for (;;) {
    const clusters = clustersOf(groups, labels);
    if (clusters.length < 2) return labels;
    const pair = alike(clusters, rule, named);
    if (pair !== undefined) {
      const [stays, goes] = pair;
      labels = labels.map((voice) => (voice === goes ? stays : voice));
      continue;
    }
    const [least] = clusters
      .filter(({ voice, windows }) => windows < rule.small && !named.has(voice))
      .sort((one, other) => one.windows - other.windows);
    if (least === undefined) return labels;
    const others = clusters.filter((one) => one !== least);
    labels = labels.map((voice, index) =>
      voice === least.voice ? nearestTo(others, groups[index]!.embedding) : voice,
    );
  }
};

const nearestTo = (clusters: readonly Cluster[], vector: Float32Array): number =>
  clusters.reduce((one, other) => (cosine(other.mean, vector) > cosine(one.mean, vector) ? other : one))
    .voice;

/**
 * Decides anew whose voice all windows of a conversation are, from what they were taken for while it went on: means of whole voices
 * instead of those of the time, labels decided together over all of it, voices joined by what is known of them by now. A voice keeps its
 * number, and no new one begins. Time grows with the windows times the voices. A pure function.
 *
 * @param groups in order of time.
 * @param named voices that a client has named, and who they are: they stay.
 * @returns the voice of each.
 */
export const reviseVoices = (
  groups: readonly WindowGroup[],
  rule: RevisionRule,
  named: ReadonlyMap<number, string> = new Map(),
): number[] => {
  let labels = groups.map(({ voice }) => voice);
  if (groups.length === 0) return labels;
  for (let round = 0; round < rule.rounds; round++) {
    const next = reduce(groups, settle(groups, labels, rule), rule, named);
    const same = next.every((voice, index) => voice === labels[index]);
    labels = next;
    if (same) break;
  }
  return labels;
};
