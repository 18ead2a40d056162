import { fixedLimits } from '../../config/limits/index.js';
import type { SearchResult } from '../search/index.js';

/** Limits of a search. The query's length is in code points. */
export const searchBounds = { query: fixedLimits.searchQuery.value, page: 100 } as const;

export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
  /** Inclusive bounds on the time of a record: the start of a conversation, or the time of creation of other records. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface SearchPage<Item> {
  /** The records, most relevant first. `relevance_score` is from 0 to 1, with four digits. */
  readonly items: readonly (Item & { readonly relevance_score: number })[];
  /** Whether all records were compared by meaning. False if some or all were compared by words only. */
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
