import { bestSplit, type EvidenceRule, evidenceOfPair, type VoiceSplit } from './voice-evidence.js';
import { bestPath, meanOfGroups, type WindowGroup, windowsOf } from './voice-path.js';
import { cosine } from './voice-vectors.js';

/** Parameters for revising the voices of a complete conversation. Each speaker model has its own values. */
export interface RevisionRule extends EvidenceRule {
  /** Two voices are merged if the evidence that they are two people is below this value. */
  readonly merge: number;
  /** A voice is divided if the evidence that it belongs to two people is above this value. */
  readonly split: number;
  /** Value of `merge` for conversations with only two voices. */
  readonly mergeAlone: number;
  /**
   * Value of `split` for conversations with only one voice. Usually one person speaks in such a conversation, and the
   * voice of that person must not be divided.
   */
  readonly splitAlone: number;
  /** Maximum number of voices. If a conversation has this many voices, no voice is divided. */
  readonly voices: number;
  /** Maximum number of rounds in which means and labels are recomputed. */
  readonly rounds: number;
}

/** Facts about the voices of a conversation that do not follow from its windows. */
export interface KnownNumbers {
  /**
   * Names of people that a client has assigned to voices. Voices of different people are not merged, and none of these
   * voices is dissolved.
   */
  readonly named?: ReadonlyMap<number, string>;
  /** Number that the next new voice gets. If absent: the largest number of a voice plus one. */
  readonly next?: number;
}

interface Cluster {
  readonly voice: number;
  readonly groups: readonly WindowGroup[];
}

const clustersOf = (groups: readonly WindowGroup[], labels: readonly number[]): Cluster[] =>
  [...new Set(labels)]
    .sort((one, other) => one - other)
    .map((voice) => ({ voice, groups: groups.filter((_, index) => labels[index] === voice) }));

const settle = (groups: readonly WindowGroup[], before: readonly number[], rule: RevisionRule): number[] => {
  let labels = [...before];
  for (let round = 0; round < rule.rounds; round++) {
    const clusters = clustersOf(groups, labels);
    const means = clusters.map((cluster) => meanOfGroups(cluster.groups));
    const next = bestPath(groups, means, rule).labels.map((label) => clusters[label]!.voice);
    const same = next.every((voice, index) => voice === labels[index]);
    labels = next;
    if (same) break;
  }
  return labels;
};

/**
 * Finds the pair of voices to merge: the pair with the least evidence for two people. The remaining voice comes
 * first. Voices to which different people were assigned are not merged.
 */
const alike = (
  groups: readonly WindowGroup[],
  labels: readonly number[],
  rule: RevisionRule,
  named: ReadonlyMap<number, string>,
): readonly [stays: number, goes: number] | undefined => {
  let found: readonly [number, number] | undefined;
  const voices = [...new Set(labels)].sort((one, other) => one - other);
  let least = voices.length === 2 ? rule.mergeAlone : rule.merge;
  voices.forEach((one, index) => {
    for (const other of voices.slice(index + 1)) {
      const [first, second] = [named.get(one), named.get(other)];
      if (first !== undefined && second !== undefined && first !== second) continue;
      const isTheirs = (_: unknown, at: number): boolean => labels[at] === one || labels[at] === other;
      const theirs = labels.filter(isTheirs);
      const evidence = evidenceOfPair(
        groups.filter(isTheirs),
        theirs.map((voice) => voice === one),
        rule,
      );
      if (evidence >= least) continue;
      least = evidence;
      found = first === undefined && second !== undefined ? [other, one] : [one, other];
    }
  });
  return found;
};

/** Merges voices of the same person and dissolves voices with little speech, until no such voice is left. */
const reduce = (
  groups: readonly WindowGroup[],
  before: readonly number[],
  rule: RevisionRule,
  named: ReadonlyMap<number, string>,
): number[] => {
  let labels = [...before];
  for (;;) {
    const pair = alike(groups, labels, rule, named);
    if (pair !== undefined) {
      const [stays, goes] = pair;
      labels = labels.map((voice) => (voice === goes ? stays : voice));
      continue;
    }
    const clusters = clustersOf(groups, labels);
    if (clusters.length < 2) return labels;
    const sizes = clusters.map((cluster) => ({ ...cluster, windows: windowsOf(cluster.groups) }));
    const [least] = sizes
      .filter(({ voice, windows }) => windows < rule.small && !named.has(voice))
      .sort((one, other) => one.windows - other.windows);
    if (least === undefined) return labels;
    const others = clusters
      .filter(({ voice }) => voice !== least.voice)
      .map((one) => ({ voice: one.voice, mean: meanOfGroups(one.groups) }));
    labels = labels.map((voice, index) =>
      voice === least.voice ? nearestTo(others, groups[index]!.embedding) : voice,
    );
  }
};

const nearestTo = (
  voices: readonly { readonly voice: number; readonly mean: Float32Array }[],
  vector: Float32Array,
): number =>
  voices.reduce((one, other) => (cosine(other.mean, vector) > cosine(one.mean, vector) ? other : one)).voice;

/**
 * Divides the voice with the most evidence for two people. The smaller part gets `number`. Returns undefined if no
 * voice has enough evidence.
 */
const divide = (
  groups: readonly WindowGroup[],
  labels: readonly number[],
  rule: RevisionRule,
  number: number,
): number[] | undefined => {
  const clusters = clustersOf(groups, labels);
  let most = clusters.length === 1 ? rule.splitAlone : rule.split;
  let found: { readonly voice: number; readonly split: VoiceSplit } | undefined;
  for (const cluster of clusters) {
    const split = bestSplit(cluster.groups, rule);
    if (split === undefined || split.evidence <= most) continue;
    most = split.evidence;
    found = { voice: cluster.voice, split };
  }
  if (found === undefined) return undefined;
  const { voice: divided, split } = found;
  let at = 0;
  return labels.map((voice) => (voice === divided && split.isSmaller[at++] ? number : voice));
};

/**
 * Assigns speakers again to all windows of a conversation, starting from the labels that were assigned during the
 * conversation. It uses the means of complete voices and decides all labels together. It merges and divides voices by
 * the evidence of the complete conversation. A voice keeps its number. If a voice is divided, the part with more
 * windows keeps the number. The time grows with windows times voices. The result depends only on the arguments.
 * @param groups groups in order of time.
 * @returns the voice of each group.
 */
export const reviseVoices = (
  groups: readonly WindowGroup[],
  rule: RevisionRule,
  { named = new Map(), next = Math.max(-1, ...groups.map(({ voice }) => voice)) + 1 }: KnownNumbers = {},
): number[] => {
  let labels = groups.map(({ voice }) => voice);
  if (groups.length === 0) return labels;
  const improved = (before: readonly number[]): number[] => {
    let now = [...before];
    for (let round = 0; round < 2; round++) now = reduce(groups, settle(groups, now, rule), rule, named);
    return now;
  };
  labels = improved(labels);
  for (let number = next; ; number++) {
    const count = new Set(labels).size;
    const divided = count < rule.voices ? divide(groups, labels, rule, number) : undefined;
    if (divided === undefined) return labels;
    const after = improved(divided);
    // Stops, because the two parts of the divided voice were merged again.
    if (new Set(after).size <= count) return labels;
    labels = after;
  }
};
