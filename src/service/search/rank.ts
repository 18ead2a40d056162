import type { Period, WordMatch } from '../../store/search/index.js';
import type { Ranked, RankedRecord } from './fill-page.js';
import type { VectorSet } from './vector-set.js';

/** Most that words can take of what is missing to a relevance of 1. */
const wordWeight = 0.5;

/**
 * Relevance of a record, from 0 to 1: its similarity, and of what is missing to 1 a part by its words, at most half of it, where
 * all words of the query occur. The third power of the share counts: one word of several says little, and often it has another
 * meaning there, while all of them (a name with a number) say more than the model knows. More words never make a record less
 * relevant.
 */
export const relevanceOf = (similarity: number, share: number): number => {
  const alike = Math.min(1, Math.max(0, similarity));
  return 1 - (1 - alike) * (1 - wordWeight * share ** 3);
};

const byRelevance = (a: RankedRecord, b: RankedRecord): number =>
  b.relevance - a.relevance || (a.id < b.id ? 1 : -1);

/** Cosine of two vectors of length one and of as many dimensions. */
export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

/** Ranks by words alone; where a record has them all its relevance is 1. */
export const rankByWords = (matches: readonly WordMatch[], most: number): Ranked => ({
  records: matches.map(({ id, share }) => ({ id, relevance: share })),
  isAll: matches.length < most,
});

/**
 * Merges the nearest records with those that match by words. The first places are exact: a record that is in neither list has no
 * word of the query and is less similar than each of the nearest.
 * @param nearest by similarity
 */
export const rankByBoth = (
  set: VectorSet,
  vector: Float32Array,
  nearest: Ranked,
  matches: readonly WordMatch[],
  { from, to }: Period,
): Ranked => {
  const inPeriod = (at: number): boolean =>
    (from === undefined || at >= from.getTime()) && (to === undefined || at <= to.getTime());
  const shares = new Map(matches.map(({ id, share }) => [id, share]));
  const records: RankedRecord[] = [];
  for (const { id, relevance: similarity } of nearest.records) {
    const row = set.rowOf(id);
    if (row === undefined || !inPeriod(set.momentOf(row))) continue;
    records.push({ id, relevance: relevanceOf(similarity, shares.get(id) ?? 0) });
    shares.delete(id);
  }
  const ranked = new Set(nearest.records.map(({ id }) => id));
  for (const [id, share] of shares) {
    if (ranked.has(id)) continue;
    const row = set.rowOf(id);
    const similarity = row === undefined ? 0 : dot(vector, set.vectorOf(row));
    records.push({ id, relevance: relevanceOf(similarity, share) });
  }
  return { records: records.sort(byRelevance), isAll: nearest.isAll };
};
