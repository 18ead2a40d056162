import { createHmac, randomBytes } from 'node:crypto';
import { equalSecrets } from '../common/index.js';

/** Maximum number of accounts in the cookie of one browser. If there are more, the oldest accounts are removed. */
const most = 5;
const day = 86_400;

export const knownBrowserCookie = { name: 'cochlea_browser', lifetime: 180 * day } as const;

const entryForm = /^([0-9a-z]{1,8})\.([\w-]{22})\.([\w-]{43})$/;

const marked = (key: Buffer, issued: string, id: string, email: string): string =>
  `${issued}.${id}.${createHmac('sha256', key).update(`${issued}.${id}\n${email}`).digest('base64url')}`;

const entriesOf = (cookie: string | undefined): string[] => (cookie ?? '').split('~').slice(0, most);

/**
 * Returns the browser's id from a cookie entry; null if the entry belongs to another account, was forged or has
 * expired.
 */
const idIn = (key: Buffer, entry: string, email: string, now: number): string | null => {
  const [, issued, id] = entryForm.exec(entry) ?? [];
  if (issued === undefined || id === undefined || !equalSecrets(entry, marked(key, issued, id, email)))
    return null;
  return Number.parseInt(issued, 36) + knownBrowserCookie.lifetime > now ? id : null;
};

/**
 * Returns the id of a browser that was already used for a sign-in to the account. Wrong passwords from this browser are
 * counted separately from wrong passwords of other browsers (OWASP's "device cookies").
 * @param key key that authenticates the cookie.
 * @param email canonical address.
 * @param now seconds since the epoch.
 * @returns null if the browser was not used for this account.
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

/** Returns the cookie for a browser after a sign-in to an account. The cookie reveals nothing about the account. */
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
