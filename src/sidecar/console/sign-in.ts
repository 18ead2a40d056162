import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { decodeJwt } from 'jose';
import { equalSecrets } from '../../common/index.js';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { beginConsoleSession } from '../../identity/index.js';
import { consoleClient, consoleSignedInPath } from '../../issuer/index.js';
import type { Sql } from '../../store/client/index.js';
import { cookieOf, writtenCookie } from '../access/index.js';
import { giveSession } from './entering.js';

/** Cookie of a sign-in that is under way. Its secret is known to one browser only. */
const signInCookie = 'cochlea_console_sign_in';
/** Seconds for which a person may take for the sign-in. */
const signInTime = 3600;

interface SignInOptions {
  readonly settings: Settings;
  readonly sql: Sql;
}

/**
 * Returns the values that protect a sign-in. All are derived from the secret in the browser's cookie, so nothing is
 * stored. The issuer sees the state, the nonce and the hash of the verifier, and none of them reveals another.
 */
const derived = (secret: string) => {
  const value = (what: string): string =>
    createHash('sha256').update(`cochlea console ${what}\n${secret}`).digest('base64url');
  const verifier = value('verifier');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { state: value('state'), nonce: value('nonce'), verifier, challenge };
};

const redirectUri = (settings: Settings): string => `${publicAddress(settings)}${consoleSignedInPath}`;

/**
 * Exchanges the code of a sign-in at the built-in issuer, inside this process.
 * @returns the claims of the ID token. It needs no check of its signature, because it crosses no network.
 * @throws CochleaError `sign_in_ended` for a code that the issuer refuses, `sign_in_busy` if the issuer cannot answer.
 */
const exchange = async (app: FastifyInstance, settings: Settings, code: string, verifier: string) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: consoleClient(settings),
      redirect_uri: redirectUri(settings),
      code,
      code_verifier: verifier,
    }).toString(),
  });
  if (answer.statusCode >= 500) throw new CochleaError('sign_in_busy');
  const { id_token: token } = answer.json<{ id_token?: string }>();
  if (answer.statusCode !== 200 || token === undefined) throw new CochleaError('sign_in_ended');
  return decodeJwt(token);
};

const removeSignIn = (settings: Settings, reply: FastifyReply): void =>
  void reply.header('set-cookie', writtenCookie(settings, signInCookie, '', 0));

/**
 * Adds the sign-in at the console with an account of the built-in issuer. It is a client with PKCE, and its redirect
 * is bound to the browser that began.
 * @param app the application that serves the issuer's endpoints.
 */
export const installSignIn = (scope: FastifyInstance, app: FastifyInstance, options: SignInOptions): void => {
  const { settings, sql } = options;

  scope.get('/console/sign-in', ({ protocol, host, query }, reply) => {
    const address = publicAddress(settings);
    const { here } = query as { here?: unknown };
    // The redirect leads to the public address, and a cookie belongs to one host. So the sign-in begins there.
    if (`${protocol}://${host}` !== new URL(address).origin && here === undefined) {
      return reply.redirect(`${address}/console/sign-in?here`, 303);
    }
    const secret = randomBytes(32).toString('base64url');
    const { state, nonce, challenge } = derived(secret);
    const request = new URLSearchParams({
      client_id: consoleClient(settings),
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirectUri(settings),
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    reply.header('set-cookie', writtenCookie(settings, signInCookie, secret, signInTime));
    return reply.redirect(`/authorize?${request}`, 303);
  });

  scope.get(consoleSignedInPath, async ({ headers, query }, reply) => {
    const { code, state, error } = query as Readonly<Record<string, unknown>>;
    const secret = cookieOf(settings, headers.cookie, signInCookie);
    if (secret === null || typeof state !== 'string') throw new CochleaError('sign_in_ended');
    const expected = derived(secret);
    if (!equalSecrets(state, expected.state)) throw new CochleaError('sign_in_ended');
    removeSignIn(settings, reply);
    if (error === 'temporarily_unavailable') throw new CochleaError('sign_in_busy');
    // The person has cancelled.
    if (error !== undefined || typeof code !== 'string') return reply.redirect('/console', 303);
    const { sub, nonce, iat } = await exchange(app, settings, code, expected.verifier);
    if (typeof sub !== 'string' || typeof nonce !== 'string' || !equalSecrets(nonce, expected.nonce)) {
      throw new CochleaError('sign_in_ended');
    }
    const { cookie } = await beginConsoleSession(sql, sub, iat! * 1000 + 999);
    await giveSession(sql, settings, headers.cookie, reply, cookie);
    return reply.redirect('/console', 303);
  });
};
