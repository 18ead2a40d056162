import { answeredList, type Result } from './answered.js';

/** What a page is asked for. */
export interface PageQuery {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
}

export interface Selection {
  /** Records that are asked for; all when absent. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Records that the service gives in one page, at most. */
  readonly page: number;
}

/** Characters of a cursor, at most, as the service bounds it. */
const longestCursor = 1000;

/**
 * Reads a list page by page, until there are as many records as were asked for, or no more. The cursor of each page leads to the next.
 * A page without records and a cursor that came before end the list, so that no answer makes it endless.
 */
export async function* listed<Item>(
  ask: (query: PageQuery) => Promise<Result<readonly Item[]>>,
  { limit = Number.POSITIVE_INFINITY, offset = 0, page }: Selection,
): AsyncGenerator<Item> {
  const seen = new Set<string>();
  let left = limit;
  let query: PageQuery = { limit: Math.min(left, page), ...(offset > 0 && { offset }) };
  while (left > 0) {
    const result = await ask(query);
    const items = answeredList(result).slice(0, left);
    yield* items;
    left -= items.length;
    const cursor = result.response.headers.get('x-next-cursor');
    if (cursor === null || items.length === 0 || seen.has(cursor) || cursor.length > longestCursor) return;
    seen.add(cursor);
    query = { limit: Math.min(left, page), cursor };
  }
}
