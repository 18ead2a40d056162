import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { equalSecrets } from '../../../common/index.js';
import { publicAddress, type Settings } from '../../../config/index.js';
import { consoleSignedOutPath, type OutsideIssuer } from '../../../issuer/index.js';
import { cookieOf, sessionOf, writtenCookie } from '../../access/index.js';

/**
 * Cookie with the state of a logout request whose browser has gone to the issuer. A later sign-out of the browser
 * replaces the cookie.
 */
const leavingCookie = 'cochlea_console_sign_out';
/**
 * Seconds until the browser must be back from the issuer. Meanwhile the issuer may ask the person whether to sign out.
 */
const leavingTime = 600;

/**
 * Prepares an answer that leads the browser to the issuer. There the issuer ends the browser's sign-in (OpenID Connect
 * RP-Initiated Logout 1.0). The state of this logout request is stored only in a cookie, so it takes no memory of this
 * service.
 * @returns the address at the issuer; null if the issuer names none or does not answer.
 */
export const leaveFor = async (
  issuer: Pick<OutsideIssuer, 'signOutAddress'>,
  settings: Settings,
  reply: FastifyReply,
): Promise<string | null> => {
  const state = randomBytes(32).toString('base64url');
  const to = await issuer.signOutAddress(`${publicAddress(settings)}${consoleSignedOutPath}`, state);
  if (to !== null) reply.header('set-cookie', writtenCookie(settings, leavingCookie, state, leavingTime));
  return to;
};

/**
 * Adds the address to which the issuer leads browsers back after a sign-out. If the state differs from the one in the
 * browser's cookie, or if the browser has a session, the browser is led to the console. The console shows whether the
 * browser is signed in.
 * @param show sends the page for a browser that has signed out.
 */
export const installReturn = (
  scope: FastifyInstance,
  settings: Settings,
  show: (reply: FastifyReply) => FastifyReply,
): void => {
  scope.get(consoleSignedOutPath, async ({ headers, query }, reply) => {
    reply.header('cache-control', 'no-store');
    const { state } = query as { state?: unknown };
    const expected = cookieOf(settings, headers.cookie, leavingCookie);
    const isOwn = expected !== null && typeof state === 'string' && equalSecrets(state, expected);
    if (isOwn) reply.header('set-cookie', writtenCookie(settings, leavingCookie, '', 0));
    if (!isOwn || sessionOf(settings, headers.cookie) !== null) return reply.redirect('/console', 303);
    return show(reply);
  });
};
