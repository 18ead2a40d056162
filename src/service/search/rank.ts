import type { Period } from '../../store/client/index.js';
import type { WordMatch } from '../../store/search/index.js';
import type { Ranked, RankedRecord } from './fill-page.js';
import type { VectorSet } from './vector-set.js';

/** The share of the distance from similarity to 1 that is added if all words match. */
const wordWeight = 0.5;

/**
 * Returns the relevance of a record, from 0 to 1. It is the similarity plus a part of the distance from the similarity
 * to 1. The part is one half if all words of the query occur in the record. If only a share of them occurs, the part is
 * one half times the third power of this share. A single matching word adds little, because it may have a different
 * meaning. If all words match, such as a name and a number, they identify a record better than the model does. More
 * matching words never lower the relevance.
 */
export const relevanceOf = (similarity: number, share: number): number => {
  const alike = Math.min(1, Math.max(0, similarity));
  return 1 - (1 - alike) * (1 - wordWeight * share ** 3);
};

const byRelevance = (a: RankedRecord, b: RankedRecord): number =>
  b.relevance - a.relevance || (a.id < b.id ? 1 : -1);

/** Returns the cosine of two unit vectors with the same dimensions. */
export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

/** Ranks records by words alone. A record with all words has relevance 1. */
export const rankByWords = (matches: readonly WordMatch[], most: number): Ranked => ({
  records: matches.map(({ id, share }) => ({ id, relevance: share })),
  isAll: matches.length < most,
});

/**
 * Ranks the records that are nearest by similarity together with the records that match by words. The top of the
 * ranking is exact: a record in neither list has no query word, and is less similar than each nearest record.
 * @param nearest the nearest records by similarity
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
