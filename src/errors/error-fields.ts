import { CochleaError } from './index.js';

/** What a log line says of an error. */
export interface ErrorFields {
  /** Its class, or the type of a thrown value that is no error. */
  readonly type: string;
  /** The registry's code, a system error's, or PostgreSQL's SQLSTATE. */
  readonly code?: string;
  /** Names out of the program and its schema: the system call, PostgreSQL's routine, constraint, table, and so on. */
  readonly [name: string]: unknown;
  /** Where it was thrown. */
  readonly frames?: readonly string[];
  readonly cause?: ErrorFields;
}

const mostFrames = 12;
const longestFrame = 300;
const deepestCause = 3;
/** A name of the program, of the system or of the schema. Values that a client sent are longer or hold other characters. */
const identifier = /^[\w$.-]{1,64}$/;
/** Fields whose values are such names; `postgres` and `pg` call some of them differently. */
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
 * The stack without the message, which stands in front of it and may have lines that look like frames. Where the message
 * is not found there (it was changed later), only what has the exact shape of a frame is taken.
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
 * Everything that may be logged of an error, whatever threw it: its class, codes and names, and where it was thrown. Never
 * its message, nor any other text: PostgreSQL quotes rows and parameters in message, detail, hint and where, V8's parser
 * quotes what it was given, and either may be what a wearer said.
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
    // Texts among the details come from outside; numbers say what was measured.
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
