import type { Listed, Position, Sql } from '../client/index.js';
import { piece } from './piece.js';

/**
 * Returns an SQL expression for the number of bytes of an array's text. An array stored in less than 64 bytes counts as
 * 100 bytes, because computing its text takes time. Such a text has at most a few hundred bytes, or a few thousand when
 * the text repeats one character and is stored compressed.
 */
const arrayBytes = (name: string): string =>
  `case when pg_column_size(${name}) < 64 then 100 else octet_length(${name}::text) end`;

/** Approximate number of bytes of a row without its long columns: field names, times, flags. */
const beside = 300;

/** A row of a page. In the rows after the first `piece.bytes` bytes of the page, the long columns are null. */
export type MeasuredRow<Row> = Row & {
  /** Size of the complete row in bytes, if its long columns were left out; else null. */
  readonly left_out: number | null;
};

/**
 * Makes statements that read a page of a list. After the first `piece.bytes` bytes of the page, they leave out the long
 * columns of the rows. One statement reads the whole page, so the page is consistent.
 * @param columns all columns of a row.
 * @param texts columns with possibly long texts.
 * @param arrays columns with possibly long arrays.
 */
export const measuredPart = (
  columns: readonly string[],
  texts: readonly string[],
  arrays: readonly string[] = [],
) => {
  const long = [...texts, ...arrays];
  const bytes = [
    ...texts.map((name) => `coalesce(octet_length(${name}), 0)`),
    ...arrays.map(arrayBytes),
    beside,
  ].join(' + ');
  const shown = columns.map((name) =>
    long.includes(name) ? `case when begins < ${piece.bytes} then ${name} end as ${name}` : name,
  );
  return {
    /** Select list of the query passed to `read`. */
    selected: `${columns.join(', ')}, ${bytes} as bytes`,
    /** @param part a query with the select list `selected` @param order SQL of the list's order */
    read: <Row>(sql: Sql, part: unknown, order: string) =>
      sql<MeasuredRow<Row>[]>`
        select ${sql.unsafe(shown.join(', '))}, ${sql.unsafe(`case when begins >= ${piece.bytes} then bytes end as left_out`)}
        from (
          select *, sum(bytes) over (rows unbounded preceding) - bytes as begins
          from (${part as never}) as part) as measured
        order by ${sql.unsafe(order)}`,
  };
};

/** Makes a page from up to `limit + 1` measured rows. The last row only shows that more rows follow. */
export const listedMeasured = <Row extends { readonly id: string }>(
  rows: readonly MeasuredRow<Row>[],
  limit: number,
  position: (row: Row) => Position,
): Listed<Row> => {
  const part = rows.slice(0, limit);
  return {
    rows: part
      .filter(({ left_out }) => left_out === null)
      .map(({ left_out, ...row }) => row as unknown as Row),
    rest: part.flatMap(({ id, left_out }) => (left_out === null ? [] : [{ id, bytes: left_out }])),
    next: rows.length > limit ? position(part.at(-1)!) : null,
  };
};
