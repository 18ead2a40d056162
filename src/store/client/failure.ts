/**
 * How a failed statement is treated. `retry` repeats it. `spill` keeps the entry on disk until the database works
 * again. `reject` sets the entry aside: it can never be stored, but others can.
 */
export type Treatment = 'retry' | 'spill' | 'reject';

export interface FailureClass {
  /** A SQLSTATE or its first two characters, or an error code of the client library or of Node. An exact match wins. */
  readonly code: string;
  readonly treatment: Treatment;
  /** The database is away or refuses every statement, so the statement itself is not at fault. */
  readonly away: boolean;
  /** The server's message contains no values of rows, so logs may contain it. */
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
 * Every failure this program distinguishes. Other failures are `unknown`: their entries are spilled, and only the code
 * is shown.
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
  // Errors that the client library raises before it sends anything.
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

/** The class of an error, from `failureClasses`. */
export const failureClass = (thrown: unknown): FailureClass => {
  const code = codeOf(thrown);
  if (code === undefined) return unknownFailure;
  const exact = byCode.get(code);
  if (exact !== undefined || !/^[0-9A-Z]{5}$/.test(code)) return exact ?? unknownFailure;
  return byCode.get(code.slice(0, 2)) ?? unknownFailure;
};

/** How a failed statement is treated. */
export const treatmentOf = (thrown: unknown): Treatment => failureClass(thrown).treatment;

/** Whether a statement failed because the database is away or refuses connections, rather than because of the statement. */
export const isDatabaseAway = (thrown: unknown): boolean => failureClass(thrown).away;

/** Whether a statement was cancelled because it ran or waited too long. The same work may succeed in smaller parts. */
export const isTimeout = (thrown: unknown): boolean =>
  ['57014', '55P03', 'NO_ANSWER'].includes(codeOf(thrown) ?? '');

/** Whether a statement failed on a unique constraint. */
export const isDuplicate = (thrown: unknown): boolean => codeOf(thrown) === '23505';

/** Whether a statement failed because a row it refers to does not exist. */
export const isDangling = (thrown: unknown): boolean => codeOf(thrown) === '23503';
