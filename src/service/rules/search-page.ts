import { fixedLimits } from '../../config/limits/index.js';
import type { Period } from '../../store/client/index.js';
import type { SearchResult } from '../search/index.js';

/** Limits of a search. The query's length is in code points. */
export const searchBounds = { query: fixedLimits.searchQuery.value, page: 100 } as const;

export interface SearchQuery extends Period {
  readonly text: string;
  readonly limit: number;
}

export interface SearchPage<Item> {
  /** The records, most relevant first. `relevance_score` is from 0 to 1, with four digits. */
  readonly items: readonly (Item & { readonly relevance_score: number })[];
  /** Whether all records were compared by meaning. False if some or all of them were compared by words only. */
  readonly semantic: boolean;
}

const digits = 10_000;

export const searchPage = <Row, Item extends object>(
  { found, semantic }: SearchResult<Row>,
  view: (row: Row) => Item,
): SearchPage<Item> => ({
  items: found.map(({ row, relevance }) => ({
    ...view(row),
    relevance_score: Math.round(relevance * digits) / digits,
  })),
  semantic,
});
