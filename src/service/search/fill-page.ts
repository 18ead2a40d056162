/** A record and its relevance. */
export interface RankedRecord {
  readonly id: string;
  /** Relevance from 0 to 1. If records are ranked by similarity alone: from -1 to 1. */
  readonly relevance: number;
}

export interface Ranked {
  /** The records, most relevant first. */
  readonly records: readonly RankedRecord[];
  /** Whether `records` contains all records that can be ranked. */
  readonly isAll: boolean;
}

export interface Page<Row> {
  readonly found: readonly { readonly row: Row; readonly relevance: number }[];
  /** Ids of records that could not be read. */
  readonly missing: readonly string[];
}

/** Minimum number of records that the first round ranks. */
const leastRanked = 50;
/** Each later round ranks this many times as many records as the previous round. */
const growth = 4;

/**
 * Fills a page with the most relevant records that can be read. Another request may have changed or deleted a record
 * since the ranking, so each record is read. A record that may not be shown is replaced by the next one in the ranking.
 * @param ranked returns at least `most` records, most relevant first. If `most` is larger, the additional records
 * follow at the end, and the order of the others stays the same.
 */
export const fillPage = async <Row extends { readonly id: string }>(
  limit: number,
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
  ranked: (most: number) => Promise<Ranked>,
): Promise<Page<Row>> => {
  const found: { row: Row; relevance: number }[] = [];
  const missing: string[] = [];
  const tried = new Set<string>();
  for (let most = Math.max(leastRanked, growth * limit); ; most *= growth) {
    const { records, isAll } = await ranked(most);
    const untried = records.filter(({ id }) => !tried.has(id));
    for (let at = 0; at < untried.length && found.length < limit; ) {
      const part = untried.slice(at, at + Math.max(limit, growth * (limit - found.length)));
      at += part.length;
      const rows = new Map((await read(part.map(({ id }) => id))).map((row) => [row.id, row]));
      for (const { id, relevance } of part) {
        tried.add(id);
        const row = rows.get(id);
        if (row === undefined) missing.push(id);
        else if (found.length < limit) found.push({ row, relevance });
      }
    }
    if (isAll || found.length >= limit) return { found, missing };
  }
};
