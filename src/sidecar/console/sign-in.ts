import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { equalSecrets } from '../../common/index.js';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { beginConsoleSession } from '../../identity/index.js';
import { consoleSignedInPath, type SignInValues } from '../../issuer/index.js';
import type { Sql } from '../../store/client/index.js';
import { cookieOf, writtenCookie } from '../access/index.js';
import { giveSession } from './entering.js';
import type { SignInWay } from './sign-in-ways.js';

/** Cookie of a sign-in that is under way. Its secret is known to one browser only. */
const signInCookie = 'cochlea_console_sign_in';
/** Maximum seconds that a person may take to sign in. */
const signInTime = 3600;

interface SignInOptions {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly way: SignInWay;
}

/**
 * Returns the values that protect a sign-in. All are derived from the secret in the browser's cookie, so nothing is
 * stored. The issuer receives the state, the nonce and the hash of the verifier. None of these values reveals another
 * of them.
 */
const derived = (secret: string): SignInValues => {
  const value = (what: string): string =>
    createHash('sha256').update(`cochlea console ${what}\n${secret}`).digest('base64url');
  return { state: value('state'), nonce: value('nonce'), verifier: value('verifier') };
};

const removeSignIn = (settings: Settings, reply: FastifyReply): void =>
  void reply.header('set-cookie', writtenCookie(settings, signInCookie, '', 0));

/**
 * Adds the sign-in at the console. The console is a client with PKCE. The redirect from the issuer is accepted only
 * from the browser that began the sign-in.
 */
export const installSignIn = (scope: FastifyInstance, { settings, sql, way }: SignInOptions): void => {
  scope.get('/console/sign-in', async ({ protocol, host, query }, reply) => {
    const address = publicAddress(settings);
    const { here } = query as { here?: unknown };
    // The issuer redirects to the public address, and a cookie belongs to one host. So the sign-in must begin at the
    // public address.
    if (`${protocol}://${host}` !== new URL(address).origin && here === undefined) {
      return reply.redirect(`${address}/console/sign-in?here`, 303);
    }
    const secret = randomBytes(32).toString('base64url');
    const to = await way.begin(derived(secret));
    reply.header('set-cookie', writtenCookie(settings, signInCookie, secret, signInTime));
    return reply.redirect(to, 303);
  });

  scope.get(consoleSignedInPath, async ({ headers, query, raw }, reply) => {
    const { code, state, error } = query as Readonly<Record<string, unknown>>;
    const secret = cookieOf(settings, headers.cookie, signInCookie);
    if (secret === null || typeof state !== 'string') throw new CochleaError('sign_in_ended');
    const expected = derived(secret);
    if (!equalSecrets(state, expected.state)) throw new CochleaError('sign_in_ended');
    removeSignIn(settings, reply);
    if (error === 'temporarily_unavailable') throw new CochleaError('sign_in_busy');
    // The person has cancelled.
    if (error === 'access_denied') return reply.redirect('/console', 303);
    if (error === undefined && typeof code !== 'string') throw new CochleaError('sign_in_ended');
    const { uid, issuedAt, session } = await way.finish(raw.url!.split('?')[1] ?? '', expected);
    const { cookie } = await beginConsoleSession(sql, uid, issuedAt, session);
    await giveSession(sql, settings, headers.cookie, reply, cookie);
    return reply.redirect('/console', 303);
  });
};
