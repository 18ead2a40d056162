import type { Sql, TransactionSql } from './database.js';

/**
 * The sort key of a row as texts: its position in an ordered list. The first values are those of the list's order, the last
 * one is the id, which makes the position unique.
 */
export type Position = readonly string[];

/** Which part of an ordered list is read. */
export interface Page {
  readonly limit: number;
  /** Rows that are skipped after `after`. */
  readonly offset: number;
  /** The part begins behind the row with this position; null for the beginning of the list. */
  readonly after: Position | null;
}

/** A part of an ordered list. */
export interface Listed<Row> {
  readonly rows: Row[];
  /** Position of the last row of the part; null when no row follows it. */
  readonly next: Position | null;
  /** Further rows of the part, which were not read because they are long, in their order, with their bytes; none when absent. */
  readonly rest?: readonly LeftOut[];
}

/** A row of a part that was not read. */
export interface LeftOut {
  readonly id: string;
  readonly bytes: number;
}

/** Makes a part of a list of `limit + 1` rows: the last row only shows that more rows follow. */
export const listed = <Row>(rows: Row[], limit: number, position: (row: Row) => Position): Listed<Row> => {
  if (rows.length <= limit) return { rows, next: null };
  const part = rows.slice(0, limit);
  return { rows: part, next: position(part.at(-1)!) };
};

/** A time of a position as a parameter. The client library would cut the fraction of a parameter of type `timestamptz`. */
export const moment = (sql: Sql | TransactionSql, text: string) => sql`${text}::text::timestamptz`;
