/** A record and its relevance. */
export interface RankedRecord {
  readonly id: string;
  /** 0 to 1; -1 to 1 if records are ranked by similarity alone. */
  readonly relevance: number;
}

export interface Ranked {
  /** Most relevant first. */
  readonly records: readonly RankedRecord[];
  /** Whether the list is complete. */
  readonly isAll: boolean;
}

export interface Page<Row> {
  readonly found: readonly { readonly row: Row; readonly relevance: number }[];
  /** Ids of records that could not be read. */
  readonly missing: readonly string[];
}

/** Minimum number of records that are ranked first, and the growth factor of later rounds. */
const leastRanked = 50;
const growth = 4;

/**
 * Fills a page with the most relevant records that can be read. Another request may have changed or deleted a record since the ranking, so
 * each record is read. The next record takes the place of one that may not be shown.
 * @param ranked ranks at least the `most` most relevant records. A larger number only appends to the result.
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
