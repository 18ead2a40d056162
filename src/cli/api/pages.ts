import { answeredList, type Result } from './answered.js';

/** Query of one page. */
export interface PageQuery {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
}

export interface Selection {
  /** Number of records to list; absent: all. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Maximum number of records in one page of the service. */
  readonly page: number;
}

/** Maximum number of characters in a cursor; the service has the same limit. */
const longestCursor = 1000;

/**
 * Reads a list page by page, up to `limit` records. Each page has the cursor of the next page. A faulty service could
 * return pages without end, so an empty page or a repeated cursor ends the list.
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
