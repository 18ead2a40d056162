import type { PendingQuery, Row, RowList, Sql } from 'postgres';
import { reportSlow, type SlowStatements } from './slow-statements.js';
import { withoutValues } from './statement-error.js';
import { withoutHoles } from './whole-result.js';

/** A value that the server reads from its text. Moments are sent as ISO 8601, arrays as literals, documents as JSON. */
export type TextValue = string | number | boolean | null;

/** The rows of a statement as they are parsed by the client library, or in raw form each value as the server wrote it. */
export type DirectResult = RowList<Row[]>;

/**
 * Sends one statement to a pool, at once: a failure that nothing handles ends the process.
 * @param text is prepared once for each connection.
 * @param values belong to the statement.
 * @param raw whether rows are arrays of buffers.
 * @throws StatementError; the library's own error when there is no connection.
 */
export type SendDirectly = (text: string, values: TextValue[], raw: boolean) => Promise<DirectResult>;

/** Under this name a pool has its `SendDirectly`; the connection of a transaction has none. */
export const sendsDirectly = Symbol('sends directly');

/** What a connection of the client library reads of a statement's options. */
const options = Object.freeze({ prepare: true, simple: false });
const noArguments: readonly never[] = Object.freeze([]);

/**
 * A statement with all that a connection of the client library reads of one and writes to it (porsager/postgres 3.4.9,
 * `src/connection.js`), in place of the library's own class `Query`.
 *
 * Each `Query` is a promise of a class of its own, which takes Node three turns of its queue to await, and has two functions that are assigned
 * to properties as they are written. V8 makes such functions among old objects, where only a full collection frees them, and until
 * then they keep the statement, its values, its rows and the buffers that these were read from.
 */
class DirectStatement {
  readonly options = options;
  readonly args = noArguments;
  readonly tagged = false;
  readonly origin = '';
  readonly strings: readonly [string];
  parameters: readonly TextValue[];
  readonly isRaw: boolean;
  state: unknown = null;
  statement: unknown = null;
  active = false;
  cancelled: unknown = null;
  string = '';
  signature = '';
  prepare = true;
  prepared = false;
  parsing = false;
  onlyDescribe = undefined;
  describeFirst: unknown = false;
  retried: unknown = undefined;
  cursorFn = undefined;
  forEachFn = undefined;
  reserve = undefined;
  #ended = false;
  readonly #began: number;
  readonly #slow: SlowStatements | undefined;
  readonly #settle: (result: DirectResult) => void;
  readonly #fail: (reason: unknown) => void;

  constructor(
    text: string,
    values: TextValue[],
    raw: boolean,
    slow: SlowStatements | undefined,
    settle: (result: DirectResult) => void,
    fail: (reason: unknown) => void,
  ) {
    this.strings = [text];
    this.parameters = values;
    this.isRaw = raw;
    this.#slow = slow;
    this.#began = slow === undefined ? 0 : performance.now();
    this.#settle = settle;
    this.#fail = fail;
  }

  /** Called by the connection; a second time, which does nothing, when another one has replaced it after it was lost. */
  resolve(result: DirectResult): void {
    if (this.#ended) return;
    this.#settle(withoutHoles(result));
    this.#end();
  }

  /** Called by the connection. */
  reject(reason: unknown): void {
    if (this.#ended) return;
    this.#fail(withoutValues(reason));
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.active = false;
    // A connection that was lost keeps its last statement until it has another one.
    this.parameters = noArguments;
    if (this.#slow !== undefined) reportSlow(this.#slow, this.strings, performance.now() - this.#began);
  }
}

/**
 * What sends a pool's statements without the library's promises.
 * @param sql the library's own pool.
 * @param before is called before each statement.
 * @param slow which statements are reported; none when undefined.
 */
export const directSender = (
  sql: Sql,
  before: () => void,
  slow: SlowStatements | undefined,
): SendDirectly => {
  // This statement is never sent: what hands a statement to a connection is found at every statement only.
  const { handler } = sql.unsafe('') as PendingQuery<Row[]> & { handler: (statement: object) => void };
  return (text, values, raw) => {
    before();
    return new Promise((resolve, reject) => {
      handler(new DirectStatement(text, values, raw, slow, resolve, reject));
    });
  };
};
