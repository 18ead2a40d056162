import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { equalSecrets } from '../../common/index.js';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { type AccessVerifier, hasConsoleClient, validUid } from '../../identity/index.js';
import {
  type ConfirmedSignIn,
  consoleClient,
  consoleSignedInPath,
  type Issuer,
  OutsideIssuer,
  type SignInValues,
} from '../../issuer/index.js';
import type { Logger } from '../../log/index.js';
import { endSignIn } from '../issuer/index.js';
import { leaveFor } from './sign-out/index.js';

/** An issuer where people sign in at the console. */
export interface SignInWay {
  /** Returns the address where the person signs in. @throws CochleaError if the issuer cannot be reached. */
  begin(values: SignInValues): Promise<string>;
  /**
   * Completes a sign-in.
   * @param query the query of the redirect from the issuer, with a code.
   * @throws CochleaError for a sign-in that failed.
   */
  finish(query: string, values: SignInValues): Promise<ConfirmedSignIn>;
  /**
   * Ends the sign-in of a request's browser at the issuer, after the browser's session at the console has ended.
   * @returns the address to which the browser must go to end that sign-in; null if nothing is left to do.
   */
  leave(request: FastifyRequest, reply: FastifyReply): Promise<string | null>;
}

const redirectUri = (settings: Settings): string => `${publicAddress(settings)}${consoleSignedInPath}`;

/**
 * Exchanges the code of a sign-in at the built-in issuer, inside this process.
 * @returns the claims of the ID token. The signature of the token needs no check, because the token crosses no network.
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

/** Signs in at the built-in issuer. @param app the application that serves the issuer's endpoints. */
const builtInWay = (app: FastifyInstance, settings: Settings, issuer: Issuer): SignInWay => ({
  begin: async ({ state, nonce, verifier }) => {
    const request = new URLSearchParams({
      client_id: consoleClient(settings),
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirectUri(settings),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return `/authorize?${request}`;
  },
  finish: async (query, expected) => {
    const code = new URLSearchParams(query).get('code') ?? '';
    const { sub, nonce, iat } = await exchange(app, settings, code, expected.verifier);
    if (typeof sub !== 'string' || typeof nonce !== 'string' || !equalSecrets(nonce, expected.nonce)) {
      throw new CochleaError('sign_in_ended');
    }
    return { uid: sub, issuedAt: iat! * 1000 + 999, session: null };
  },
  leave: async (request, reply) => {
    await endSignIn(issuer, request, reply);
    return null;
  },
});

/**
 * Signs in at the operator's own issuer. A person who signs in for the first time gets an account, as with an ID token.
 */
const outsideWay = (settings: Settings, log: Logger, verifier: Pick<AccessVerifier, 'admit'>): SignInWay => {
  const issuer = new OutsideIssuer(settings, log);
  return {
    begin: async (values) => (await issuer.begin(redirectUri(settings), values)).href,
    finish: async (query, values) => {
      const confirmed = await issuer.finish(redirectUri(settings), query, values);
      if (!validUid(confirmed.uid) || !(await verifier.admit(confirmed.uid)))
        throw new CochleaError('sign_in_ended');
      return confirmed;
    },
    leave: (_request, reply) => leaveFor(issuer, settings, reply),
  };
};

interface WaysOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly verifier: Pick<AccessVerifier, 'admit'>;
  /** The built-in issuer; null with an issuer of the operator's own. */
  readonly issuer: Issuer | null;
}

/** Returns how people sign in at the console; null if only links begin a session. */
export const signInWay = (
  app: FastifyInstance,
  { settings, log, verifier, issuer }: WaysOptions,
): SignInWay | null => {
  if (issuer !== null) return builtInWay(app, settings, issuer);
  return hasConsoleClient(settings) ? outsideWay(settings, log, verifier) : null;
};
