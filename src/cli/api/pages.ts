import { answeredList, type Result } from './answered.js';

/** Query of one page. */
export interface PageQuery {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
}

export interface Selection {
  /** Number of requested records; absent: all. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Maximum records in one page of the service. */
  readonly page: number;
}

/** Maximum characters of a cursor, as the service bounds it. */
const longestCursor = 1000;

/**
 * Reads a list page by page until it has the requested number of records, or all. Each page's cursor leads to the next page. An empty
 * page or a repeated cursor ends the list, so that no answer makes it endless.
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
