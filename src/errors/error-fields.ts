import { CochleaError } from './cochlea-error.js';

/** The fields of an error in a log line. */
export interface ErrorFields {
  /** The error's class, or the type of a thrown value that is not an error. */
  readonly type: string;
  /** A code of the error registry, a system error's code, or PostgreSQL's SQLSTATE. */
  readonly code?: string;
  /**
   * Further fields with names of the program or the database schema, such as the system call, or PostgreSQL's routine,
   * constraint or table.
   */
  readonly [name: string]: unknown;
  /** Stack frames of the error. */
  readonly frames?: readonly string[];
  readonly cause?: ErrorFields;
}

const mostFrames = 12;
const longestFrame = 300;
const deepestCause = 3;
/**
 * Pattern of values that may be logged as names of the program, the system or the database schema. Values from clients
 * are usually longer or contain other characters.
 */
const identifier = /^[\w$.-]{1,64}$/;
/**
 * Fields of an error whose values are names of the program, the system or the database schema. The libraries
 * `postgres` and `pg` name some fields differently.
 */
const nameFields = [
  'code',
  'syscall',
  'severity',
  'routine',
  'constraint',
  'constraint_name',
  'table',
  'table_name',
  'column',
  'column_name',
  'schema',
  'schema_name',
] as const;
const frame = /^ {4}at (?:.+ \()?(?:async )?(?:(?:file|node|wasm):|\/|<anonymous>|native)[^\n]*$/;

/**
 * Returns the stack frames of an error without its message. The message precedes the frames and may contain lines that
 * look like frames. If the stack does not contain the message, only lines with the exact format of a frame are
 * returned.
 */
const framesOf = (error: Error): string[] => {
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const at = error.message === '' ? -1 : stack.indexOf(error.message);
  return stack
    .slice(at < 0 ? 0 : at + error.message.length)
    .split('\n')
    .filter((line) => frame.test(line))
    .slice(0, mostFrames)
    .map((line) => line.trim().slice(0, longestFrame));
};

/**
 * Returns all loggable fields of a thrown value: class, codes, names and stack frames.
 *
 * Messages and other texts are never included. PostgreSQL quotes rows and parameters in `message`, `detail`, `hint`
 * and `where`; V8's JSON parser quotes its input. Such texts may contain a wearer's speech.
 */
export const errorFields = (thrown: unknown, depth = 0): ErrorFields => {
  if (!(thrown instanceof Error)) return { type: thrown === null ? 'null' : typeof thrown };
  const fields: Record<string, unknown> = {
    type: identifier.test(thrown.name) ? thrown.name : 'Error',
  };
  for (const name of nameFields) {
    const value = (thrown as unknown as Record<string, unknown>)[name];
    if (typeof value === 'string' && identifier.test(value)) fields[name] = value;
  }
  if (thrown instanceof CochleaError) {
    // Texts among the details may come from a client, so only numbers and booleans are copied.
    for (const [name, value] of Object.entries(thrown.details)) {
      if (typeof value !== 'string' && !(name in fields)) fields[name] = value;
    }
  }
  const frames = framesOf(thrown);
  const cause = thrown.cause ?? (thrown instanceof AggregateError ? thrown.errors[0] : undefined);
  return {
    ...fields,
    type: fields.type as string,
    ...(frames.length > 0 ? { frames } : {}),
    ...(cause === undefined || depth >= deepestCause ? {} : { cause: errorFields(cause, depth + 1) }),
  };
};
