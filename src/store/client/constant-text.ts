import type { Row, RowList } from 'postgres';
import type { Sql, TransactionSql } from './database.js';
import { type SendDirectly, sendsDirectly, type TextValue } from './direct-statement.js';

/** A row whose values are left as the server wrote them: parts of the buffer that was read from the socket. */
export type RawRow = readonly (Buffer | null)[];

const run = (
  sql: Sql | TransactionSql,
  text: string,
  values: TextValue[],
  raw: boolean,
): Promise<unknown> => {
  const send = (sql as { [sendsDirectly]?: SendDirectly })[sendsDirectly];
  if (send !== undefined) return send(text, values, raw);
  const options = { prepare: true, simple: false };
  const statement = sql.unsafe(text, [], options);
  (statement as { parameters?: TextValue[] }).parameters = values;
  return raw ? statement.raw() : statement;
};

/**
 * Runs a prepared statement of a text that is the same string in every call, as the statements of most requests are.
 *
 * The client library finds what a connection has prepared by the types of the arguments and the text in one string, which it puts together
 * for each execution; V8 copies and hashes it, 5 µs for 3,600 characters (porsager/postgres 3.4.9, `build` in `src/connection.js`). Without
 * arguments that string is the text itself, whose hash V8 keeps, and parameters that a statement has already are taken as they are.
 * The server tells their types.
 * @param values belong to the statement, which changes them. The first time on a connection they are sent as their texts; later the library
 *   converts them by the types that the server has told: a boolean parameter has to be a boolean, a moment is cut to milliseconds, and
 *   what is no moment fails; of documents and bytes the text has to be a text in the statement, too (`$1::text::jsonb`).
 */
export const preparedText = <Rows extends Row[] = Row[]>(
  sql: Sql | TransactionSql,
  text: string,
  values: TextValue[],
): Promise<RowList<Rows>> => run(sql, text, values, false) as Promise<RowList<Rows>>;

/** `preparedText` whose rows are not parsed. */
export const preparedRaw = (
  sql: Sql | TransactionSql,
  text: string,
  values: TextValue[],
): Promise<readonly RawRow[]> => run(sql, text, values, true) as Promise<readonly RawRow[]>;
