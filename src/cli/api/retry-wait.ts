/** Ms that a command waits at the word of the service; after a longer time the person decides. */
const longest = 60_000;
const first = 500;
const last = 8_000;

/** The seconds of a `Retry-After` header, which has a number or a date; null without one, or with one that says nothing. */
export const retryAfter = (header: string | null, now = Date.now()): number | null => {
  if (header === null) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
};

/**
 * Ms before a request is repeated, or null when it is not to be, because the service asks for a longer time than a minute.
 * @param attempt how often the request was sent.
 * @param header `Retry-After`; without it the time doubles, with a random part, so that clients that failed together come back apart.
 */
export const waitBefore = (attempt: number, header: string | null): number | null => {
  const asked = retryAfter(header);
  if (asked !== null) return asked * 1000 <= longest ? asked * 1000 : null;
  const most = Math.min(last, first * 2 ** (attempt - 1));
  return most / 2 + (Math.random() * most) / 2;
};
