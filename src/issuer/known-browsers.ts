import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Maximum accounts known to one browser; the oldest is forgotten first. */
const most = 5;
const day = 86_400;

export const knownBrowserCookie = { name: 'cochlea_browser', lifetime: 180 * day } as const;

const entryForm = /^([0-9a-z]{1,8})\.([\w-]{22})\.([\w-]{43})$/;

const marked = (key: Buffer, issued: string, id: string, email: string): string =>
  `${issued}.${id}.${createHmac('sha256', key).update(`${issued}.${id}\n${email}`).digest('base64url')}`;

const entriesOf = (cookie: string | undefined): string[] => (cookie ?? '').split('~').slice(0, most);

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Id of an account in a cookie entry; null if the entry does not match or has expired. */
const idIn = (key: Buffer, entry: string, email: string, now: number): string | null => {
  const [, issued, id] = entryForm.exec(entry) ?? [];
  if (issued === undefined || id === undefined || !same(entry, marked(key, issued, id, email))) return null;
  return Number.parseInt(issued, 36) + knownBrowserCookie.lifetime > now ? id : null;
};

/**
 * Id of a browser that an account has signed in with before. Its wrong passwords are counted apart from strangers' (OWASP's "device
 * cookies").
 * @param key key that authenticates the cookie.
 * @param email canonical address.
 * @param now seconds since the epoch.
 * @returns null for a browser unknown to the account.
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

/** Cookie of a browser after a sign-in. It reveals nothing about the account. */
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
