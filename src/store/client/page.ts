import type { Sql, TransactionSql } from './database.js';

/**
 * The sort key of a row as texts: its position in an ordered list. The id comes last and makes the position unique. The
 * values before it are the columns that the list is ordered by.
 */
export type Position = readonly string[];

/** Selects a page of an ordered list. */
export interface Page {
  readonly limit: number;
  /** Rows skipped after `after`. */
  readonly offset: number;
  /** The page begins after the row with this position; null for the beginning of the list. */
  readonly after: Position | null;
}

/** A page of an ordered list. */
export interface Listed<Row> {
  readonly rows: Row[];
  /** Position of the last row of the page; null when no row follows it. */
  readonly next: Position | null;
  /** Further rows of the page that were too long to read, in list order, with their bytes. Absent means no such rows. */
  readonly rest?: readonly LeftOut[];
}

/** A row of a page that was too long to read. */
export interface LeftOut {
  readonly id: string;
  readonly bytes: number;
}

/** Makes a page from up to `limit + 1` rows. The last row only shows that more rows follow. */
export const listed = <Row>(rows: Row[], limit: number, position: (row: Row) => Position): Listed<Row> => {
  if (rows.length <= limit) return { rows, next: null };
  const part = rows.slice(0, limit);
  return { rows: part, next: position(part.at(-1)!) };
};

/** A time in a position as a parameter. The client library would cut fractions of a millisecond from a `timestamptz` parameter. */
export const moment = (sql: Sql | TransactionSql, text: string) => sql`${text}::text::timestamptz`;
