import { reportSlow, type SlowStatements } from './slow-statements.js';
import { withoutValues } from './statement-error.js';
import { withoutHoles } from './whole-result.js';

/** A statement of the client library: a promise that is settled through two functions, with what it was given. */
interface Statement {
  resolve?: (value: unknown) => void;
  reject?: (reason: unknown) => void;
  args?: readonly unknown[];
  parameters?: readonly unknown[];
}

/** In place of the values, and of the functions, of a statement that has ended. */
const nothing: readonly never[] = Object.freeze([]);
const ended = (): void => {};

/**
 * Makes a new statement fail with a `StatementError`, reports it when it is slow, and takes its values from it when it ends. Fragments
 * and helpers are returned unchanged.
 *
 * For each statement the client library makes two functions among V8's old objects (`Query` in its `src/query.js`), which only a full
 * collection frees. Until then they keep the statement, and it all that it refers to, although nothing else does. So a statement that
 * has ended refers to little: its values are taken from it here, and large rows by `takeRows`. `preparedText` makes statements without them.
 * @param template what the statement was made of: the parts of a tagged template, or its text.
 * @param slow which statements are reported; none when undefined.
 */
export const watchStatement = <Made>(
  made: Made,
  template: unknown,
  slow: SlowStatements | undefined,
): Made => {
  if (!(made instanceof Promise)) return made;
  const statement = made as Statement;
  const { resolve, reject } = statement;
  if (typeof resolve !== 'function' || typeof reject !== 'function') return made;
  const began = slow === undefined ? 0 : performance.now();
  const end = (): void => {
    statement.args = nothing;
    statement.parameters = nothing;
    statement.resolve = ended;
    statement.reject = ended;
    if (slow !== undefined) reportSlow(slow, template, performance.now() - began);
  };
  const resolveWatched = (value: unknown): void => {
    resolve(withoutHoles(value));
    end();
  };
  const rejectWatched = (reason: unknown): void => {
    reject(withoutValues(reason));
    end();
  };
  // V8 makes a function among old objects when its literal is assigned to a property, so each has a name first.
  statement.resolve = resolveWatched;
  statement.reject = rejectWatched;
  return made;
};

/**
 * Moves the rows of a statement's result into an array of their own, so that they do not stay with the statement.
 * @param result is empty afterwards.
 */
export const takeRows = <Row>(result: Row[]): Row[] => {
  const rows = [...result];
  result.length = 0;
  return rows;
};
