const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
]);
// 08 connection, 53 resources, 57 operator intervention: the statement may succeed once the server is well again.
const awayClasses = new Set(['08', '53', '57']);

const codeOf = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && typeof (thrown as { code?: unknown }).code === 'string'
    ? (thrown as { code: string }).code
    : undefined;

/** Whether a statement failed because the database is away or refuses connections, not because of the statement. */
export const isDatabaseAway = (thrown: unknown): boolean => {
  const code = codeOf(thrown);
  if (code === undefined) return false;
  return awayCodes.has(code) || (code.length === 5 && awayClasses.has(code.slice(0, 2)));
};

/** Whether a statement failed on a unique constraint. */
export const isDuplicate = (thrown: unknown): boolean => codeOf(thrown) === '23505';

/** Whether a statement failed because a row it refers to does not exist. */
export const isDangling = (thrown: unknown): boolean => codeOf(thrown) === '23503';
