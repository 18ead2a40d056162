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

/** Parameters that decide whether windows belong to one voice or two. Each speaker model has its own values. */
export interface EvidenceRule extends PathRule {
  /** Minimum number of windows of a voice. The windows of a smaller voice are assigned to the other voices. */
  readonly small: number;
  /** Mean similarity of windows to their mean at which one voice and two voices are equally likely. */
  readonly coherence: number;
  /**
   * Maximum number of windows that count in the gain. The number is limited, because changes of mood let the gain of a
   * single person also grow with the length of a conversation.
   */
  readonly counted: number;
  /** Reduction of the evidence for each unit of similarity above `coherence`. */
  readonly slope: number;
}

/**
 * Returns the evidence that windows belong to two voices and not to one. It is the logarithm of the gain in similarity
 * from two means instead of one. The more similar the windows are to their common mean, the lower is the evidence. If
 * two people speak, the gain grows with every window. If one person speaks, it grows only by changes of mood. Windows
 * of two people are also less similar to their common mean, in silence, in noise, and for similar voices.
 */
const evidenceOf = (two: number, groups: readonly WindowGroup[], rule: EvidenceRule): number => {
  const one = coherenceOf(groups);
  const windows = windowsOf(groups);
  if (two <= one) return Number.NEGATIVE_INFINITY;
  const gain = ((two - one) * Math.min(windows, rule.counted)) / windows;
  return Math.log(gain) - rule.slope * (one / windows - rule.coherence);
};

/**
 * Returns the evidence that the groups of two voices belong to two people.
 * @param groups groups of both voices, in order of time.
 * @param isFirst whether each group belongs to the first voice.
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

/** Number of directions of largest variance that are tried. */
const directions = 3;
/** Number of iterations by which each direction is found. */
const powerSteps = 15;
/** Maximum number of rounds in which means and labels are recomputed. */
const rounds = 10;

/**
 * Divides the groups into halves, once for each direction of largest variance (power iteration with deflation).
 * @returns for each direction, whether each group is in the first half.
 */
const halves = (groups: readonly WindowGroup[]): boolean[][] => {
  const dimensions = groups[0]!.embedding.length;
  const middle = new Float32Array(dimensions);
  const all = windowsOf(groups);
  for (const { embedding, count } of groups)
    for (let i = 0; i < dimensions; i++) middle[i]! += (count / all) * embedding[i]!;
  const offsets = groups.map(({ embedding }) => embedding.map((value, i) => value - middle[i]!));
  const found: Float32Array[] = [];
  for (let number = 0; number < directions; number++) {
    // Any group can start the search. The large stride starts each search with a group from another part of the
    // conversation.
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

/** A division of one voice's groups into two. */
export interface VoiceSplit {
  /** Whether each group belongs to the part with fewer windows. */
  readonly isSmaller: readonly boolean[];
  readonly evidence: number;
}

/**
 * Finds the division of one voice into two that has the largest gain. It tries several starts. Returns undefined if a
 * part would be too small. The time grows with the number of groups.
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

/**
 * Recomputes the means of two voices and the labels until no label changes. @returns undefined if one of the two voices
 * has too few windows.
 */
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
