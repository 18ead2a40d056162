import { CochleaError } from './cochlea-error.js';

/** What a log line says of an error. */
export interface ErrorFields {
  /** The error's class, or the type of a thrown value that is not an error. */
  readonly type: string;
  /** A code of the error registry, a system error's code, or PostgreSQL's SQLSTATE. */
  readonly code?: string;
  /** Names from the program and its schema: the system call, PostgreSQL's routine, constraint, table, and so on. */
  readonly [name: string]: unknown;
  /** Lines of the stack at which the error was thrown. */
  readonly frames?: readonly string[];
  readonly cause?: ErrorFields;
}

const mostFrames = 12;
const longestFrame = 300;
const deepestCause = 3;
/** A name of the program, of the system or of the schema. Values that a client sent are longer or hold other characters. */
const identifier = /^[\w$.-]{1,64}$/;
/** Fields whose values are such names; the `postgres` and `pg` libraries name some of them differently. */
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
 * The lines of an error's stack without its message. The message stands in front of the stack and may contain lines that
 * look like frames. Where the message is not found there (it was changed later), only lines that have the exact shape of
 * a frame are taken.
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
 * Everything of an error that may be logged, whatever threw it: its class, codes and names, and where it was thrown. Its
 * message and other texts are never included: PostgreSQL quotes rows and parameters in `message`, `detail`, `hint` and
 * `where`, V8's JSON parser quotes its input, and either may contain what a wearer said.
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
    // Texts among the details may come from a client, so only numbers and booleans are taken.
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
