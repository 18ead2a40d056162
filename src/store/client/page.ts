import type { Sql, TransactionSql } from './database.js';

/**
 * Position of a row in an ordered list: the row's sort key, as texts. The texts are the values of the columns by which
 * the list is ordered. The last text is the row's id, which makes the position unique.
 */
export type Position = readonly string[];

/** Selects a page of an ordered list. */
export interface Page {
  readonly limit: number;
  /** Number of rows to skip; the rows up to the position `after` do not count. */
  readonly offset: number;
  /** Position of the last row before the page; null for the beginning of the list. */
  readonly after: Position | null;
  /**
   * Whether to leave out the rows that begin after the first `piece.bytes` bytes of the page. `Listed.rest` then
   * contains their ids. Only lists of records support this option.
   */
  readonly measured?: boolean | undefined;
}

/** Inclusive bounds on the time of a record: the start of a conversation, or the time of creation of other records. */
export interface Period {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** A page of an ordered list. */
export interface Listed<Row> {
  readonly rows: Row[];
  /** Position of the last row of the page; null when no row follows it. */
  readonly next: Position | null;
  /**
   * Rows of the page that were left out because the page is too long, in list order, with their sizes. Absent when no
   * row can be left out.
   */
  readonly rest?: readonly LeftOut[];
}

/** A row that was left out because its page is too long. */
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

/**
 * Returns an SQL fragment for the time in a position. A `timestamptz` parameter would lose its fractions of a
 * millisecond in postgres.js.
 */
export const moment = (sql: Sql | TransactionSql, text: string) => sql`${text}::text::timestamptz`;
