import type { RecordDeclaration, RowOf } from '../../wire/records/index.js';
import {
  hasRows,
  type Listed,
  listed,
  lockForUser,
  moment,
  type Page,
  type Period,
  type Position,
  type Sql,
  type TransactionSql,
} from '../client/index.js';
import { listedMeasured, measuredPart } from '../pieces/index.js';
import { columnsOf, recordRows } from './record-rows.js';

/** A row written by an application of the user. */
export interface TimedRow {
  readonly id: string;
  readonly created_at: Date;
}

export interface TimedFilter extends Page, Period {
  /** A column and its required value. */
  readonly where?: { readonly column: string; readonly value: string } | undefined;
}

/** A record type with a time, and an id that the writing application chooses. */
export type TimedRecord = RecordDeclaration & {
  readonly fields: {
    readonly id: { readonly type: 'text' };
    readonly created_at: { readonly type: 'timestamptz' };
  };
};

/**
 * Returns queries for the rows of a record type with a time. The record's table must have an index by user, time and
 * id.
 */
export const timedRows = <R extends TimedRecord, Row extends TimedRow = RowOf<R> & TimedRow>(record: R) => {
  const { table } = record;
  const { written: columns } = columnsOf(record);
  const { byIds } = recordRows<R, Row>(record, { known: (ids) => [...ids] });
  const names = columns.split(', ');
  const measured = measuredPart(
    names,
    names.filter((name) => name !== 'id' && name !== 'created_at'),
  );
  const replaced = names
    .filter((name) => name !== 'id')
    .map((name) => `${name} = excluded.${name}`)
    .join(', ');
  return {
    /** Serializes transactions that write rows of a user. */
    lock: (sql: TransactionSql, uid: string): Promise<void> => lockForUser(sql, table, uid),

    /**
     * Inserts rows, and replaces stored rows that have the same id. The ids in `rows` must be unique. Returns the rows
     * in the given order.
     */
    async write(sql: TransactionSql, uid: string, rows: readonly Row[]): Promise<Row[]> {
      const written = await sql<Row[]>`
        insert into ${sql(table)} ${sql(rows.map((row) => ({ ...row, uid })) as never)}
        on conflict (uid, id) do update set ${sql.unsafe(replaced)} returning ${sql.unsafe(columns)}`;
      return [...written];
    },

    async count(sql: TransactionSql, uid: string): Promise<number> {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from ${sql(table)} where uid = ${uid}`;
      return row!.count;
    },

    /** Reads a page of a user's rows, newest first. */
    async list(sql: Sql, uid: string, filter: TimedFilter): Promise<Listed<Row>> {
      const { from, to, where, after, limit, offset } = filter;
      const [created, id] = after ?? [];
      const order = 'created_at desc, id desc';
      const part = (selected: string) => sql<Row[]>`
        select ${sql.unsafe(selected)} from ${sql(table)}
        where uid = ${uid}
          ${from ? sql`and created_at >= ${from}` : sql``}
          ${to ? sql`and created_at <= ${to}` : sql``}
          ${where ? sql`and ${sql(where.column)} = ${where.value}` : sql``}
          ${after ? sql`and (created_at, id) < (${moment(sql, created!)}, ${id!})` : sql``}
        order by ${sql.unsafe(order)} limit ${limit + 1} offset ${offset}`;
      const position = (row: Row): Position => [row.created_at.toISOString(), row.id];
      return filter.measured
        ? listedMeasured(await measured.read<Row>(sql, part(measured.selected), order), limit, position)
        : listed([...(await part(columns))] as Row[], limit, position);
    },

    byIds,

    /** Removes a row. @returns whether the row existed */
    async remove(sql: Sql, uid: string, id: string): Promise<boolean> {
      return hasRows(sql`delete from ${sql(table)} where uid = ${uid} and id = ${id} returning 1 as removed`);
    },
  };
};
