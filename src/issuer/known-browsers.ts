import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Accounts that one browser knows; with another one the oldest is forgotten. */
const most = 5;
const day = 86_400;

export const knownBrowserCookie = { name: 'cochlea_browser', lifetime: 180 * day } as const;

const entryForm = /^([0-9a-z]{1,8})\.([\w-]{22})\.([\w-]{43})$/;

const marked = (key: Buffer, issued: string, id: string, email: string): string =>
  `${issued}.${id}.${createHmac('sha256', key).update(`${issued}.${id}\n${email}`).digest('base64url')}`;

const entriesOf = (cookie: string | undefined): string[] => (cookie ?? '').split('~').slice(0, most);

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The id under which an entry knows an account; null where it does not, or no longer. */
const idIn = (key: Buffer, entry: string, email: string, now: number): string | null => {
  const [, issued, id] = entryForm.exec(entry) ?? [];
  if (issued === undefined || id === undefined || !same(entry, marked(key, issued, id, email))) return null;
  return Number.parseInt(issued, 36) + knownBrowserCookie.lifetime > now ? id : null;
};

/**
 * The id of a browser in which an account has signed in before, so that its wrong passwords are counted apart from those of
 * strangers (OWASP's "device cookies").
 * @param key with which the cookie was marked.
 * @param email canonical.
 * @param now seconds since the epoch.
 * @returns null for a browser that the account does not know.
 */
export const knownBrowser = (
  key: Buffer,
  cookie: string | undefined,
  email: string,
  now: number,
): string | null => {
  for (const entry of entriesOf(cookie)) {
    const id = idIn(key, entry, email, now);
    if (id !== null) return id;
  }
  return null;
};

/** The cookie of a browser in which an account has just signed in. It says nothing about the account to who reads it. */
export const rememberedBrowser = (
  key: Buffer,
  cookie: string | undefined,
  email: string,
  now: number,
): string => {
  const others = entriesOf(cookie).filter(
    (entry) => entryForm.test(entry) && idIn(key, entry, email, now) === null,
  );
  const id = randomBytes(16).toString('base64url');
  return [marked(key, now.toString(36), id, email), ...others].slice(0, most).join('~');
};
