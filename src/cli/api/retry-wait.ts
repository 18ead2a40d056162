/**
 * Maximum ms that a command waits if the service requests a pause. If the service requests a longer pause, the command
 * fails, so that the user can decide.
 */
const longest = 60_000;
const first = 500;
const last = 8_000;

/** Returns the seconds in a `Retry-After` header with a number or a date; null if the header is missing or invalid. */
export const retryAfter = (header: string | null, now = Date.now()): number | null => {
  if (header === null) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
};

/**
 * Returns the ms to wait before a request is repeated. Returns null if the service requests more than a minute. The
 * request is then not repeated.
 * @param attempt number of times the request was sent.
 * @param header value of `Retry-After`. Without this header the time doubles with each attempt. A random part is added,
 * so that clients that failed together do not retry together.
 */
export const waitBefore = (attempt: number, header: string | null): number | null => {
  const asked = retryAfter(header);
  if (asked !== null) return asked * 1000 <= longest ? asked * 1000 : null;
  const most = Math.min(last, first * 2 ** (attempt - 1));
  return most / 2 + (Math.random() * most) / 2;
};
