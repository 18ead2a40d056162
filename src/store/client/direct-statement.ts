import type { PendingQuery, Row, RowList, Sql } from 'postgres';
import type { CancelledWaits } from './cancelled-waits.js';
import { reportSlow, type SlowStatements } from './slow-statements.js';
import { withoutValues } from './statement-error.js';
import { withoutHoles } from './whole-result.js';

/**
 * Value of a parameter, which is sent to the server as text. Timestamps are passed as ISO 8601, arrays as literals,
 * documents as JSON.
 */
export type TextValue = string | number | boolean | null;

/** The rows of a statement as postgres.js parses them. Raw rows contain each value as the server sent it. */
export type DirectResult = RowList<Row[]>;

/**
 * Sends one statement to a pool at once. The caller must handle a rejection, because an unhandled rejection
 * ends the process.
 * @param text text of the statement. Each connection prepares it once.
 * @param values values of the parameters. The caller must not change the array afterwards.
 * @param raw whether rows are arrays of buffers.
 * @throws StatementError; an error of postgres.js when there is no connection.
 */
export type SendDirectly = (text: string, values: TextValue[], raw: boolean) => Promise<DirectResult>;

/**
 * Key of the property with which a pool provides its `SendDirectly`. The connection of a transaction does not have this
 * property.
 */
export const sendsDirectly = Symbol('sends directly');

/** Statement options that a connection of postgres.js reads. */
const options = Object.freeze({ prepare: true, simple: false });
const noArguments: readonly never[] = Object.freeze([]);

/**
 * Replaces the class `Query` of postgres.js. It has every property that a connection reads from a statement or writes
 * to it (porsager/postgres 3.4.9, `src/connection.js`).
 *
 * A `Query` is a promise subclass, so Node needs three microtask turns to await it. `Query` also assigns two function
 * literals to properties. V8 allocates such functions in the old generation, where only a full garbage collection frees
 * them. Until then, these functions retain the statement, its values, its rows and the read buffers of the rows.
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
  readonly #cancelled: number;

  constructor(
    text: string,
    values: TextValue[],
    raw: boolean,
    private readonly waits: CancelledWaits,
    private readonly slow: SlowStatements | undefined,
    private readonly settle: (result: DirectResult) => void,
    private readonly fail: (reason: unknown) => void,
  ) {
    this.strings = [text];
    this.parameters = values;
    this.isRaw = raw;
    this.#cancelled = waits.count;
    this.#began = slow === undefined ? 0 : performance.now();
  }

  /**
   * Ends the statement with its result. The connection calls this method. A second call does nothing; it happens when
   * the connection was lost and replaced.
   */
  resolve(result: DirectResult): void {
    if (this.#ended) return;
    if (this.waits.count === this.#cancelled) this.settle(withoutHoles(result));
    else this.fail(this.waits.failure());
    this.#end();
  }

  /** Ends the statement with an error. The connection calls this method. */
  reject(reason: unknown): void {
    if (this.#ended) return;
    this.fail(withoutValues(reason));
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.active = false;
    // A lost connection keeps a reference to its last statement until it gets a new one. So the statement's values are
    // released here.
    this.parameters = noArguments;
    if (this.slow !== undefined) reportSlow(this.slow, this.strings, performance.now() - this.#began);
  }
}

/**
 * Makes the function that sends a pool's statements without the promises of postgres.js.
 * @param sql the pool of postgres.js.
 * @param before is called before each statement.
 * @param waits finds statements that no standby confirmed.
 * @param slow which statements are reported as slow; no statement when undefined.
 */
export const directSender = (
  sql: Sql,
  before: () => void,
  waits: CancelledWaits,
  slow: SlowStatements | undefined,
): SendDirectly => {
  // This statement is never sent. Only the properties of a statement give access to `handler`, the function of
  // postgres.js that queues statements.
  const { handler } = sql.unsafe('') as PendingQuery<Row[]> & { handler: (statement: object) => void };
  return (text, values, raw) => {
    before();
    return new Promise((resolve, reject) => {
      handler(new DirectStatement(text, values, raw, waits, slow, resolve, reject));
    });
  };
};
