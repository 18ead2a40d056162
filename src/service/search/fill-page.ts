/** A record and its relevance. */
export interface RankedRecord {
  readonly id: string;
  /** From 0 to 1; from -1 to 1 if records are ranked by similarity alone. */
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

/**
 * The first round ranks at least this many records. Each later round ranks `growth` times as many as the round before.
 */
const leastRanked = 50;
const growth = 4;

/**
 * Fills a page with the most relevant records that can be read. Another request may have changed or deleted a
 * record since the ranking, so each record is read. A record that may not be shown is replaced by the next
 * one in the ranking.
 * @param ranked returns at least `most` records, most relevant first. A larger `most` adds records at the
 *   end, and keeps the order of the others.
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
