/**
 * Treatment of a failed statement. `retry`: the statement is repeated. `spill`: the statement's journal entry stays on
 * disk until the database works again. `reject`: the entry is moved to the rejected entries, because the database will
 * never accept it.
 */
export type Treatment = 'retry' | 'spill' | 'reject';

export interface FailureClass {
  /**
   * A SQLSTATE or its first two characters, or an error code of postgres.js or of Node. A class with the complete code
   * takes precedence over a class with the first two characters.
   */
  readonly code: string;
  readonly treatment: Treatment;
  /**
   * Whether the database is unreachable or refuses every statement, so that the statement itself is not the cause of
   * the failure.
   */
  readonly away: boolean;
  /** Whether logs may contain the server's message, because it contains no values of rows. */
  readonly shown: boolean;
  readonly meaning: string;
}

const row = (
  code: string,
  treatment: Treatment,
  meaning: string,
  more: { away?: boolean; shown?: boolean } = {},
): FailureClass => ({ code, treatment, meaning, away: more.away ?? false, shown: more.shown ?? false });

const away = { away: true, shown: true } as const;

/**
 * Code of the error for a commit whose wait for a synchronous standby was cancelled. PostgreSQL has no SQLSTATE for
 * this case.
 */
export const standbyWaitCancelled = 'STANDBY_WAIT_CANCELLED';

/**
 * All classes of failures that this program distinguishes. Any other failure has the class `unknown`: its journal entry
 * is spilled, and logs contain only the error code.
 */
export const failureClasses: readonly FailureClass[] = [
  row('08', 'spill', 'connection exception', away),
  row('21', 'reject', 'cardinality violation'),
  row('22', 'reject', 'an invalid value'),
  row('23', 'reject', 'a constraint is violated'),
  row('25006', 'spill', 'the server is read-only', away),
  row('25P03', 'spill', 'idle in a transaction for too long', away),
  row('28', 'spill', 'the server does not accept this user', away),
  row('3D', 'spill', 'no such database', away),
  row('40', 'retry', 'deadlock or serialization failure'),
  row('44', 'reject', 'a view refuses the row'),
  row('53', 'spill', 'out of connections, memory or disk', away),
  row('54', 'reject', 'a value is too large'),
  row('55P03', 'retry', 'a lock was not granted in time', away),
  row('57', 'spill', 'the server shuts down or cancelled the statement', away),
  row('58', 'spill', "an error of the server's system", away),
  row(standbyWaitCancelled, 'spill', 'the standby has not confirmed the commit', away),
  // Errors that postgres.js raises before it sends anything.
  row('MAX_PARAMETERS_EXCEEDED', 'reject', 'more parameters than a statement can carry'),
  row('UNDEFINED_VALUE', 'reject', 'a value is missing'),
  ...[
    'CONNECTION_CLOSED',
    'CONNECTION_DESTROYED',
    'CONNECTION_ENDED',
    'CONNECT_TIMEOUT',
    'EAI_AGAIN',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
    'ENOTFOUND',
    'EPIPE',
    'ETIMEDOUT',
    'NO_ANSWER',
  ].map((code) => row(code, 'spill', 'no connection to the server', away)),
];

const unknownFailure = row('', 'spill', 'unknown');

const byCode = new Map(failureClasses.map((one) => [one.code, one]));

/** Returns the code of an error: a SQLSTATE, or a code of postgres.js or of Node. */
export const codeOf = (thrown: unknown): string | undefined => {
  const code =
    typeof thrown === 'object' && thrown !== null ? (thrown as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
};

/** Returns the class of an error, from `failureClasses`. */
export const failureClass = (thrown: unknown): FailureClass => {
  const code = codeOf(thrown);
  if (code === undefined) return unknownFailure;
  const exact = byCode.get(code);
  if (exact !== undefined || !/^[0-9A-Z]{5}$/.test(code)) return exact ?? unknownFailure;
  return byCode.get(code.slice(0, 2)) ?? unknownFailure;
};

/** Returns the treatment of a failed statement. */
export const treatmentOf = (thrown: unknown): Treatment => failureClass(thrown).treatment;

/** Checks whether a statement failed because the database is unreachable or refuses connections. */
export const isDatabaseAway = (thrown: unknown): boolean => failureClass(thrown).away;

/** Checks whether a statement was cancelled because it ran or waited too long. The same work may succeed in smaller parts. */
export const isTimeout = (thrown: unknown): boolean =>
  ['57014', '55P03', 'NO_ANSWER'].includes(codeOf(thrown) ?? '');

/** Checks whether a statement failed on a unique constraint. */
export const isDuplicate = (thrown: unknown): boolean => codeOf(thrown) === '23505';

/** Checks whether a statement failed because a row it refers to does not exist. */
export const isDangling = (thrown: unknown): boolean => codeOf(thrown) === '23503';
