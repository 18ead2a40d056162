import { publicAddress, type Settings } from '../../config/index.js';
import { longestConsoleSession } from '../../store/accounts/index.js';

const isSecure = (settings: Settings): boolean => publicAddress(settings).startsWith('https:');

/**
 * Returns a cookie's name in browsers. With https it begins with `__Host-`: browsers then accept the cookie only from
 * this host, so no other host of the domain can set a session here.
 */
export const cookieName = (settings: Settings, name: string): string =>
  isSecure(settings) ? `__Host-${name}` : name;

/** Name of the session's cookie, without the prefix for https. */
export const sessionCookie = 'cochlea_console';

/**
 * Returns the value of a cookie. If the header has the cookie twice with different values, returns null: another
 * program on this host may have set one of them.
 * @param header `Cookie` of a request.
 */
export const cookieOf = (settings: Settings, header: string | undefined, name: string): string | null => {
  const wanted = cookieName(settings, name);
  const values = new Set<string>();
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at >= 0 && pair.slice(0, at).trim() === wanted) values.add(pair.slice(at + 1).trim());
  }
  const [value] = values;
  return values.size === 1 ? value! : null;
};

/**
 * Returns a `Set-Cookie` header for the whole host, which no script can read.
 * @param seconds number of seconds for which the browser keeps the cookie; 0 removes the cookie.
 */
export const writtenCookie = (settings: Settings, name: string, value: string, seconds: number): string =>
  `${cookieName(settings, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure(settings) ? '; Secure' : ''}`;

/**
 * Returns the value of the session's cookie; null if the request has no such cookie.
 * @param header `Cookie` of a request.
 */
export const sessionOf = (settings: Settings, header: string | undefined): string | null =>
  cookieOf(settings, header, sessionCookie);

/**
 * Returns the `Set-Cookie` header that begins a session. The browser keeps the cookie for the maximum duration of a
 * session. The database ends an unused session earlier.
 * @param value of the cookie.
 */
export const begunSession = (settings: Settings, value: string): string =>
  writtenCookie(settings, sessionCookie, value, longestConsoleSession);

/** Returns the `Set-Cookie` header that removes the session's cookie. */
export const endedSession = (settings: Settings): string => writtenCookie(settings, sessionCookie, '', 0);
