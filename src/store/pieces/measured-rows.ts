import type { Listed, Position, Sql } from '../client/index.js';
import { piece } from './piece.js';

/**
 * In SQL: the bytes of an array as a text. What is stored in few bytes is not made a text for that: it has a few hundred at most, or, where
 * it is one character many times, few thousand.
 */
const arrayBytes = (name: string): string =>
  `case when pg_column_size(${name}) < 64 then 100 else octet_length(${name}::text) end`;

/** Bytes of a row beside its texts, about: names of fields, moments, flags. */
const beside = 300;

/** A row of a measured part. Of one behind the bytes of a piece the columns that may be long are null. */
export type MeasuredRow<Row> = Row & {
  /** Bytes of the row, where it was left out; else null. */
  readonly left_out: number | null;
};

/**
 * Makes statements that read a part of a list up to the bytes of a piece. Of the rows behind them only id and position are read, so the
 * rows of the part are those of one moment, whatever they weigh.
 * @param columns all that a row has.
 * @param texts those of them that may be long.
 * @param arrays those that may be long, arrays.
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
    /** What the statement that reads the part selects. */
    selected: `${columns.join(', ')}, ${bytes} as bytes`,
    /** @param part a fragment that reads `selected`. @param order of the list. */
    read: <Row>(sql: Sql, part: unknown, order: string) =>
      sql<MeasuredRow<Row>[]>`
        select ${sql.unsafe(shown.join(', '))}, ${sql.unsafe(`case when begins >= ${piece.bytes} then bytes end as left_out`)}
        from (
          select *, sum(bytes) over (rows unbounded preceding) - bytes as begins
          from (${part as never}) as part) as measured
        order by ${sql.unsafe(order)}`,
  };
};

/** Makes a part of a list of `limit + 1` measured rows, as `listed`. */
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
