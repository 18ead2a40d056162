import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { derivedKey, issuerSecret } from '../../identity/index.js';
import { type Issuer, pageClient, signedInPath } from '../../issuer/index.js';
import { findUser } from '../../store/accounts/index.js';
import { type Form, formOf, type PageContext } from './context.js';

/** The account that a browser is signed in with. */
export interface SignedIn {
  readonly uid: string;
  readonly sessionUid: string;
  /** The token that every form of this session contains. */
  readonly token: string;
  /** When the user gave the password, or another service confirmed the sign-in; seconds since the epoch. */
  readonly signedInAt: number;
  /** Ends the session. */
  end(): Promise<void>;
}

/** Returns the account of this browser's session; null without a session. @throws CochleaError `account_deletion_in_progress` */
export const signedIn = async (
  { settings, sql, issuer }: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | null> => {
  const provider = await issuer.provider();
  const session = await provider.Session.get(provider.createContext(request.raw, reply.raw) as never);
  const { accountId } = session;
  const user = accountId ? await findUser(sql, accountId) : null;
  if (!accountId || user === null) return null;
  if (user.deleting) throw new CochleaError('account_deletion_in_progress');
  const key = derivedKey(await issuerSecret(settings), 'form tokens');
  return {
    uid: accountId,
    sessionUid: session.uid,
    token: createHmac('sha256', key).update(session.jti).digest('base64url'),
    signedInAt: (session as { loginTs?: number }).loginTs ?? 0,
    end: () => session.destroy(),
  };
};

/** Ends the session of this browser at the issuer, if it has one. */
export const endSignIn = async (
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const provider = await issuer.provider();
  const session = await provider.Session.get(provider.createContext(request.raw, reply.raw) as never);
  if (session.accountId) await session.destroy();
};

/**
 * Returns the address of the authorization request with which a person signs in to the account page. The request only
 * serves to create a session. The authorization code that it returns is never used.
 * @param more `prompt` and `state` of the request.
 */
export const signInAddress = (settings: Settings, more: Readonly<Record<string, string>> = {}): string => {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: pageClient(settings),
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${publicAddress(settings)}${signedInPath}`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return `/authorize?${query}`;
};

/**
 * Adds a form of the account page. Refuses forms that the account page did not send.
 * @param work performs the request of the form.
 * @returns the address of the next page.
 */
export const accountForm = (
  app: FastifyInstance,
  context: PageContext,
  url: string,
  work: (person: SignedIn, form: Form, id: string) => Promise<string>,
): void => {
  app.post(url, async (request, reply) => {
    const form = formOf(request, context.settings);
    const person = await signedIn(context, request, reply);
    if (person === null) return reply.redirect('/account', 303);
    const given = Buffer.from(form.get('token') ?? '');
    const expected = Buffer.from(person.token);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new CochleaError('form_foreign');
    }
    const { id = '' } = request.params as { id?: string };
    return reply.redirect(await work(person, form, id), 303);
  });
};
