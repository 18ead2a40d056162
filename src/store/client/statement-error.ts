import { codeOf, failureClass } from './failure.js';

/**
 * The error of a failed statement, without data. The original error of postgres.js contains the server's message and
 * details, the statement and its parameters. These texts may quote transcripts, keys or addresses. So callers outside
 * this folder get a `StatementError` instead.
 */
export class StatementError extends Error {
  override readonly name = 'StatementError';

  constructor(
    /** SQLSTATE of the error. */
    readonly code: string,
    message: string,
    /** Name of the violated constraint in the schema; never a value. */
    readonly constraint: string | undefined,
    stack: string | undefined,
  ) {
    super(message);
    const frames = (stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
    this.stack = [`StatementError: ${message}`, ...frames].join('\n');
  }
}

/**
 * Copies an error without the statement and its values. postgres.js adds both to every error as non-enumerable
 * properties. When a connection is lost, all its statements share one error, which has the values of the first
 * statement.
 */
const withoutStatement = (error: Error): Error =>
  'parameters' in error
    ? Object.assign(new Error(error.message), error, { name: error.name, stack: error.stack })
    : error;

/** Converts an error of the server to a `StatementError`. Other errors only lose the statement and its values. */
export const withoutValues = (thrown: unknown): unknown => {
  if (!(thrown instanceof Error)) return thrown;
  if (thrown.name !== 'PostgresError') return withoutStatement(thrown);
  const code = codeOf(thrown) ?? 'XX000';
  const { shown, meaning } = failureClass(thrown);
  const { constraint_name: named } = thrown as { constraint_name?: unknown };
  const constraint = typeof named === 'string' ? named : undefined;
  const place = constraint === undefined ? '' : ` on ${constraint}`;
  const message = shown ? thrown.message : `SQLSTATE ${code}${place} (${meaning})`;
  return new StatementError(code, message, constraint, thrown.stack);
};
