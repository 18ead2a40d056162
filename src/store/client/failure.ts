/**
 * What to do with a statement that failed: `retry` it, `spill` the entry (keep it on disk until the database works again), or
 * `reject` the entry (this one can never be stored, others can).
 */
export type Treatment = 'retry' | 'spill' | 'reject';

export interface FailureClass {
  /** A SQLSTATE or its first characters (the longest match counts), or an error code of the client library or of Node. */
  readonly code: string;
  readonly treatment: Treatment;
  /** The database is away or refuses every statement: the failure says nothing about this statement. */
  readonly away: boolean;
  /** The server's message contains no values of rows, so it may be shown. */
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

/** Every failure this program distinguishes. Others are `unknown`: they are spilled, and only their code is shown. */
export const failureClasses: readonly FailureClass[] = [
  row('08', 'spill', 'connection exception', away),
  row('21', 'reject', 'cardinality violation'),
  row('22', 'reject', 'a value that cannot be held'),
  row('23', 'reject', 'a constraint is broken'),
  row('25006', 'spill', 'the server is read-only', away),
  row('25P03', 'spill', 'idle in a transaction for too long', away),
  row('28', 'spill', 'the server does not accept this user', away),
  row('3D', 'spill', 'no such database', away),
  row('40', 'retry', 'deadlock or serialization failure'),
  row('44', 'reject', 'a view refuses the row'),
  row('53', 'spill', 'out of connections, memory or disk', away),
  row('54', 'reject', 'a value is too large'),
  row('55P03', 'retry', 'a lock was not to be had in time', away),
  row('57', 'spill', 'the server shuts down or cancelled the statement', away),
  row('58', 'spill', "a fault of the server's system", away),
  // Errors of the client library before it sends anything.
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

/** The code of an error: a SQLSTATE, or a code of the client library or of Node. */
export const codeOf = (thrown: unknown): string | undefined => {
  const code =
    typeof thrown === 'object' && thrown !== null ? (thrown as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
};

/** The row of the table for an error. */
export const failureClass = (thrown: unknown): FailureClass => {
  const code = codeOf(thrown);
  if (code === undefined) return unknownFailure;
  const exact = byCode.get(code);
  if (exact !== undefined || !/^[0-9A-Z]{5}$/.test(code)) return exact ?? unknownFailure;
  return byCode.get(code.slice(0, 2)) ?? unknownFailure;
};

/** What to do with a statement that failed. */
export const treatmentOf = (thrown: unknown): Treatment => failureClass(thrown).treatment;

/** Whether a statement failed because the database is away or refuses connections, not because of the statement. */
export const isDatabaseAway = (thrown: unknown): boolean => failureClass(thrown).away;

/** Whether a statement was cancelled because it took or waited too long: the same work in smaller pieces may succeed. */
export const isTimeout = (thrown: unknown): boolean =>
  ['57014', '55P03', 'NO_ANSWER'].includes(codeOf(thrown) ?? '');

/** Whether a statement failed on a unique constraint. */
export const isDuplicate = (thrown: unknown): boolean => codeOf(thrown) === '23505';

/** Whether a statement failed because a row it refers to does not exist. */
export const isDangling = (thrown: unknown): boolean => codeOf(thrown) === '23503';
