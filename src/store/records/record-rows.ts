import { fieldsOf, type NewRowOf, type RecordDeclaration, type RowOf } from '../../wire/records/index.js';
import {
  firstRow,
  inOrder,
  type Listed,
  listed,
  type Position,
  type Sql,
  type TransactionSql,
  uuidsOf,
} from '../client/index.js';
import { listedMeasured, measuredPart } from '../pieces/index.js';

/** Returns SQL texts for the columns of a record. @param queries SQL expressions of computed columns, by column name */
export const columnsOf = (record: RecordDeclaration, queries: Readonly<Record<string, string>> = {}) => {
  const read = fieldsOf(record)
    .filter(([, { from }]) => from !== 'service')
    .map(([name, field]) => ({ ...field, name: field.column ?? name }));
  const written = read.filter(({ from }) => from === undefined);
  const names = read.map(({ name }) => name);
  const long = read.filter(({ most }) => most !== undefined);
  return {
    /** Select list with all columns of a row. */
    selected: names
      .map((name) => (queries[name] === undefined ? name : `${queries[name]} as ${name}`))
      .join(', '),
    /** Columns that an insertion writes. */
    written: written.map(({ name }) => name).join(', '),
    /**
     * Returns SQL for a relation with the columns that an insertion writes.
     * @param rows SQL parameter with a JSON array of rows
     */
    given: (rows: string): string =>
      `jsonb_to_recordset(${rows}::text::jsonb) as given (${written.map(({ name, type }) => `${name} ${type}`).join(', ')})`,
    /** Makes statements that read a page of at most `piece.bytes` bytes. */
    measured: measuredPart(
      names,
      long.filter(({ type }) => type === 'text').map(({ name }) => name),
      long.filter(({ type }) => type === 'text[]').map(({ name }) => name),
    ),
  };
};

interface Options {
  /** SQL condition for rows that queries return; all rows when absent. */
  readonly condition?: string;
  /** Keeps the ids that have the form of this record's ids. When absent, keeps the UUIDs. */
  readonly known?: (ids: readonly string[]) => string[];
  /** SQL expressions of computed columns, as in `columnsOf`. */
  readonly queries?: Readonly<Record<string, string>>;
}

/** Describes how to read a page of a list. */
export interface PartOf<Row> {
  /** SQL of the list's order. */
  readonly order: string;
  readonly limit: number;
  position(row: Row): Position;
  /** Whether the rows after the first `piece.bytes` bytes of the page are left out. */
  readonly measured?: boolean | undefined;
}

/** Queries shared by all records whose rows have an id and belong to a user. */
export const recordRows = <
  R extends RecordDeclaration,
  Row extends { readonly id: string } = RowOf<R> & { readonly id: string },
>(
  record: R,
  { condition = 'true', known = uuidsOf, queries }: Options = {},
) => {
  const { table } = record;
  const { selected, measured } = columnsOf(record, queries);
  return {
    /** Reads the user's rows among `ids`, in the order of `ids`. */
    async byIds(sql: Sql | TransactionSql, uid: string, ids: readonly string[]): Promise<Row[]> {
      const own = known(ids);
      if (own.length === 0) return [];
      const rows = await sql<Row[]>`
        select ${sql.unsafe(selected)} from ${sql(table)}
        where id = any(${own}) and uid = ${uid} and ${sql.unsafe(condition)}`;
      return inOrder([...rows] as Row[], own);
    },

    /** Locks one of a user's rows until the transaction ends. Null when the user has no row with this id. */
    async lock(sql: TransactionSql, uid: string, id: string): Promise<Row | null> {
      const [own] = known([id]);
      if (own === undefined) return null;
      return firstRow(sql<Row[]>`
        select ${sql.unsafe(selected)} from ${sql(table)}
        where id = ${own} and uid = ${uid} and ${sql.unsafe(condition)} for update`);
    },

    /** Changes a row that this transaction has locked. */
    async change(sql: TransactionSql, id: string, changes: Partial<NewRowOf<R>>): Promise<Row> {
      const [row] = await sql<Row[]>`
        update ${sql(table)} set ${sql(changes as never)} where id = ${id} returning ${sql.unsafe(selected)}`;
      return row!;
    },

    /** Removes a row that this transaction has locked. */
    async remove(sql: TransactionSql, id: string): Promise<void> {
      await sql`delete from ${sql(table)} where id = ${id}`;
    },

    /**
     * Reads a page of a list.
     * @param part returns the page's query for a given select list. The query must have this order and the limit `limit
     *   + 1`
     */
    async part(
      sql: Sql,
      part: (selected: string) => PromiseLike<Row[]>,
      { order, limit, position, measured: inPieces }: PartOf<Row>,
    ): Promise<Listed<Row>> {
      return inPieces
        ? listedMeasured(await measured.read<Row>(sql, part(measured.selected), order), limit, position)
        : listed([...(await part(selected))] as Row[], limit, position);
    },
  };
};
