import { fixedLimits } from '../../config/limits/index.js';
import type { SearchResult } from '../search/index.js';

/** Bounds of a search; the length in code points. */
export const searchBounds = { query: fixedLimits.searchQuery.value, page: 100 } as const;

export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
  /** Inclusive bounds on the time of a record: of a conversation when it began, else when it was created. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface SearchPage<Item> {
  /** The most relevant first; `relevance_score` from 0 to 1, with four digits. */
  readonly items: readonly (Item & { readonly relevance_score: number })[];
  /** Whether the meanings of all records were compared; false where of some, or of all, only words could be. */
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
