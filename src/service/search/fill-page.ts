/** A record and how relevant it is. */
export interface RankedRecord {
  readonly id: string;
  /** Where records are ranked by similarity alone -1..1, else 0..1. */
  readonly relevance: number;
}

export interface Ranked {
  /** The most relevant first. */
  readonly records: readonly RankedRecord[];
  /** Whether there are no more. */
  readonly isAll: boolean;
}

export interface Page<Row> {
  readonly found: readonly { readonly row: Row; readonly relevance: number }[];
  /** Ids that could not be read. */
  readonly missing: readonly string[];
}

/** Records ranked at first, and by which factor more when the page is not full. */
const leastRanked = 50;
const growth = 4;

/**
 * Fills a page with the most relevant records that can be read. What may be shown is decided by the record itself, which another
 * request may have changed or deleted meanwhile; in the place of one that is left out comes the next.
 * @param ranked ranks at least the `most` most relevant; what it returns for a larger number begins with the same
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
