import type { Row, RowList } from 'postgres';
import type { Sql, TransactionSql } from './database.js';
import { type SendDirectly, sendsDirectly, type TextValue } from './direct-statement.js';

/** A row with unparsed values, as the server sent them. The values are slices of the socket's read buffer. */
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
 * Runs a prepared statement. Its text must be the same string in every call.
 *
 * For each execution, postgres.js builds a string from the argument types and the text, and looks up the prepared
 * statement by this string. V8 copies and hashes the string: 5 µs for 3,600 characters (porsager/postgres 3.4.9,
 * `build` in `src/connection.js`). Without arguments, the string is the text itself, and V8 caches its hash. So this
 * function passes no arguments, but sets the values as the statement's parameters. postgres.js sends these unchanged,
 * and the server reports their types.
 * @param values values of the parameters. The statement may change this array. The first execution on a connection
 *   sends the values as texts. Later executions convert them to the types that the server reported. A boolean parameter
 *   must be a boolean. A timestamp loses its fractions of a millisecond. An invalid timestamp fails. Pass documents and
 *   bytes as text and cast them in the statement (`$1::text::jsonb`).
 */
export const preparedText = <Rows extends Row[] = Row[]>(
  sql: Sql | TransactionSql,
  text: string,
  values: TextValue[],
): Promise<RowList<Rows>> => run(sql, text, values, false) as Promise<RowList<Rows>>;

/** Runs a prepared statement like `preparedText`, but does not parse the rows. */
export const preparedRaw = (
  sql: Sql | TransactionSql,
  text: string,
  values: TextValue[],
): Promise<readonly RawRow[]> => run(sql, text, values, true) as Promise<readonly RawRow[]>;
