import {
  bestPath,
  changeCost,
  coherenceOf,
  meanOfGroups,
  type PathRule,
  type WindowGroup,
  windowsOf,
} from './voice-path.js';
import { cosine, scaled } from './voice-vectors.js';

/** Values by which windows are one voice or two; part of the speaker model. */
export interface EvidenceRule extends PathRule {
  /** A voice of fewer windows goes to the others. */
  readonly small: number;
  /** Mean similarity of windows to their mean that is as common in one voice as in two. */
  readonly coherence: number;
  /** Windows whose gain counts at most: what one person gains by other moods grows with the length of a conversation, too. */
  readonly counted: number;
  /** How much more the windows have to gain where they are more alike than that. */
  readonly slope: number;
}

/**
 * How much speaks for two voices in windows that could be one: the logarithm of what the sum of their similarities gains by two means instead of
 * one, less the more, the more alike they are anyway. Two people gain by every window, one person only by what was said in another mood; windows of
 * two people are also less like their common mean, in silence and in noise, for people who sound alike, too.
 */
const evidenceOf = (two: number, groups: readonly WindowGroup[], rule: EvidenceRule): number => {
  const one = coherenceOf(groups);
  const windows = windowsOf(groups);
  if (two <= one) return Number.NEGATIVE_INFINITY;
  const gain = ((two - one) * Math.min(windows, rule.counted)) / windows;
  return Math.log(gain) - rule.slope * (one / windows - rule.coherence);
};

/**
 * How much speaks for two people, of the groups of two voices.
 * @param isFirst whether a group is of the first voice.
 * @param groups of both, in order of time.
 */
export const evidenceOfPair = (
  groups: readonly WindowGroup[],
  isFirst: readonly boolean[],
  rule: EvidenceRule,
): number => {
  const parts = [true, false].map((first) => groups.filter((_, index) => isFirst[index] === first));
  const changes = groups.reduce(
    (sum, _, index) =>
      index > 0 && isFirst[index] !== isFirst[index - 1] ? sum + changeCost(groups, index, rule) : sum,
    0,
  );
  return evidenceOf(coherenceOf(parts[0]!) + coherenceOf(parts[1]!) - changes, groups, rule);
};

/** Directions in which windows differ most that are tried, and the steps in which one is found. */
const directions = 3;
const powerSteps = 15;
/** Times that two means and the labels are computed from one another at most. */
const rounds = 10;

/** In which of two halves each group lies, by the directions in which the groups differ most (power iteration, deflated). */
const halves = (groups: readonly WindowGroup[]): boolean[][] => {
  const dimensions = groups[0]!.embedding.length;
  const middle = new Float32Array(dimensions);
  const all = windowsOf(groups);
  for (const { embedding, count } of groups)
    for (let i = 0; i < dimensions; i++) middle[i]! += (count / all) * embedding[i]!;
  const offsets = groups.map(({ embedding }) => embedding.map((value, i) => value - middle[i]!));
  const found: Float32Array[] = [];
  for (let number = 0; number < directions; number++) {
    // Any group begins the search; a large stride takes one of another turn each time.
    let direction = scaled(offsets[(number * 7919) % offsets.length]!);
    for (let step = 0; step < powerSteps; step++) {
      const next = new Float32Array(dimensions);
      offsets.forEach((offset, index) => {
        const weight = groups[index]!.count * cosine(offset, direction);
        for (let i = 0; i < dimensions; i++) next[i]! += weight * offset[i]!;
      });
      for (const before of found) {
        const shared = cosine(before, next);
        for (let i = 0; i < dimensions; i++) next[i]! -= shared * before[i]!;
      }
      direction = scaled(next);
    }
    found.push(direction);
  }
  return found.map((direction) => offsets.map((offset) => cosine(offset, direction) > 0));
};

/** The groups of one voice as two. */
export interface VoiceSplit {
  /** Which groups are of the part with fewer windows. */
  readonly isSmaller: readonly boolean[];
  readonly evidence: number;
}

/**
 * The division of one voice into two that gains most, found from several beginnings; undefined where a part would be too small.
 * Time grows with the number of groups.
 */
export const bestSplit = (groups: readonly WindowGroup[], rule: EvidenceRule): VoiceSplit | undefined => {
  if (windowsOf(groups) < 2 * rule.small) return undefined;
  let best: { readonly isFirst: readonly boolean[]; readonly score: number } | undefined;
  for (const half of halves(groups)) {
    const found = settled(groups, half, rule);
    if (found !== undefined && (best === undefined || found.score > best.score)) best = found;
  }
  if (best === undefined) return undefined;
  const { isFirst, score } = best;
  const first = windowsOf(groups.filter((_, index) => isFirst[index]));
  const isSmaller = isFirst.map((is) => is === 2 * first <= windowsOf(groups));
  return { isSmaller, evidence: evidenceOf(score, groups, rule) };
};

/** Two means and the labels by them, until none changes; undefined where one has too few windows. */
const settled = (
  groups: readonly WindowGroup[],
  half: readonly boolean[],
  rule: EvidenceRule,
): { readonly isFirst: readonly boolean[]; readonly score: number } | undefined => {
  let isFirst = half;
  let score = 0;
  for (let round = 0; ; round++) {
    const parts = [true, false].map((first) => groups.filter((_, index) => isFirst[index] === first));
    if (parts.some((part) => windowsOf(part) < rule.small)) return undefined;
    if (round === rounds) return { isFirst, score };
    const path = bestPath(groups, parts.map(meanOfGroups), rule);
    const next = path.labels.map((label) => label === 0);
    const isSame = next.every((is, index) => is === isFirst[index]);
    isFirst = next;
    score = path.score;
    if (isSame) return { isFirst, score };
  }
};
