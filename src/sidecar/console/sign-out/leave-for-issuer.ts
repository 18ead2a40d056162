import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { equalSecrets } from '../../../common/index.js';
import { publicAddress, type Settings } from '../../../config/index.js';
import { consoleSignedOutPath, type OutsideIssuer } from '../../../issuer/index.js';
import { cookieOf, sessionOf, writtenCookie } from '../../access/index.js';

/** Cookie with the state of a browser that has left for the issuer. A later sign-out of the browser replaces it. */
const leavingCookie = 'cochlea_console_sign_out';
/** Seconds for which the issuer may ask the person before the browser comes back. */
const leavingTime = 600;

/**
 * Lets the answer lead the browser to the issuer, which ends its sign-in there (OpenID Connect RP-Initiated Logout 1.0).
 * The state of the request is kept in a cookie only, so it takes no memory of this service.
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
 * Adds the address to which the issuer leads browsers back after a sign-out. A browser with another state than its own,
 * or with a session, is led to the console, which shows whether it is signed in.
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
