import type { CancelledWaits } from './cancelled-waits.js';
import { reportSlow, type SlowStatements } from './slow-statements.js';
import { withoutValues } from './statement-error.js';
import { withoutHoles } from './whole-result.js';

/** A statement of postgres.js: a promise, the two functions that settle it, and its arguments. */
interface Statement {
  resolve?: (value: unknown) => void;
  reject?: (reason: unknown) => void;
  args?: readonly unknown[];
  parameters?: readonly unknown[];
}

/** When a statement has ended, `nothing` replaces its values, and `ended` replaces the two functions that settle it. */
const nothing: readonly never[] = Object.freeze([]);
const ended = (): void => {};

/**
 * Wraps a new statement. Its error is a `StatementError`. It is reported if it is slow, and its values are released
 * when it ends. Fragments of statements and other helpers of postgres.js are returned unchanged.
 *
 * postgres.js makes two functions for each statement (`Query` in its `src/query.js`). These functions retain the
 * statement until a full garbage collection, so `watchStatement` releases the statement's values when the statement
 * ends. `takeRows` releases large rows for the same reason. Statements of `preparedText` have no such functions.
 * @param template the parts of a tagged template, or the statement's text.
 * @param waits finds statements that no standby confirmed.
 * @param slow which statements are reported; no statement when undefined.
 */
export const watchStatement = <Made>(
  made: Made,
  template: unknown,
  waits: CancelledWaits,
  slow: SlowStatements | undefined,
): Made => {
  if (!(made instanceof Promise)) return made;
  const statement = made as Statement;
  const { resolve, reject } = statement;
  if (typeof resolve !== 'function' || typeof reject !== 'function') return made;
  const cancelled = waits.count;
  const began = slow === undefined ? 0 : performance.now();
  const end = (): void => {
    statement.args = nothing;
    statement.parameters = nothing;
    statement.resolve = ended;
    statement.reject = ended;
    if (slow !== undefined) reportSlow(slow, template, performance.now() - began);
  };
  const resolveWatched = (value: unknown): void => {
    if (waits.count === cancelled) resolve(withoutHoles(value));
    else reject(waits.failure());
    end();
  };
  const rejectWatched = (reason: unknown): void => {
    reject(withoutValues(reason));
    end();
  };
  // V8 allocates a function in the old generation when its literal is assigned to a property. So each function is
  // assigned to a variable first.
  statement.resolve = resolveWatched;
  statement.reject = rejectWatched;
  return made;
};

/**
 * Moves the rows of a statement's result into a new array, so that the statement does not retain them.
 * @param result is empty afterwards.
 */
export const takeRows = <Row>(result: Row[]): Row[] => {
  const rows = [...result];
  result.length = 0;
  return rows;
};
