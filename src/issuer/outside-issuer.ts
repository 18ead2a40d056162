import type { Configuration } from 'openid-client';
import { within } from '../common/index.js';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { discoverService, type OpenidClient } from './discovered-service.js';
import { isSafeEnd } from './end-session-address.js';

/** Random values that bind a sign-in to the browser that began the sign-in. */
export interface SignInValues {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier. */
  readonly verifier: string;
}

/** A sign-in that an issuer has confirmed. */
export interface ConfirmedSignIn {
  readonly uid: string;
  /** Issue time, ms since the epoch: the end of the second that the ID token contains. */
  readonly issuedAt: number;
  /** Id of the session at the issuer; null if the ID token contains none. */
  readonly session: string | null;
}

const longestSession = 255;
/** Maximum ms for which a sign-out waits for the issuer's metadata. */
const longestWait = 3000;

/**
 * Returns the reason of the issuer's refusal: its error code and its description, if these are short texts in ASCII.
 */
const reasonOf = ({ error, error_description: words }: { error?: unknown; error_description?: unknown }) => {
  const plain = (text: unknown): text is string =>
    typeof text === 'string' && /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(text);
  const name = plain(error) ? error : 'no reason given';
  return plain(words) ? `${name} (${words})` : name;
};

/** Converts an error of the library `openid-client` to the error that people see. */
const shownError = (error: unknown): CochleaError => {
  if (error instanceof CochleaError) return error;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const options = { cause: error };
  switch (code) {
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return new CochleaError('issuer_clock', {}, options);
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
    case 'OAUTH_RESPONSE_BODY_ERROR': {
      const { error: name } = error as { error?: unknown };
      // The authorization code was used before, is too old, or belongs to a different sign-in.
      if (name === 'invalid_grant') return new CochleaError('sign_in_ended', {}, options);
      if (name === 'temporarily_unavailable') return new CochleaError('sign_in_busy', {}, options);
      return new CochleaError('issuer_refused', { why: reasonOf(error as object) }, options);
    }
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
    case 'OAUTH_INVALID_RESPONSE':
    case 'OAUTH_INVALID_SERVER_METADATA':
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
    case 'OAUTH_KEY_SELECTION_FAILED':
      return new CochleaError('issuer_refused', { why: 'its answer is not valid' }, options);
    default:
      return new CochleaError('issuer_away', {}, { cause: cause ?? error });
  }
};

/**
 * Sign-in and sign-out at the operator's own issuer (`ID_TOKEN_ISSUER`). The sign-in uses the authorization code flow
 * with PKCE.
 */
export class OutsideIssuer {
  #found: Promise<Configuration> | undefined;
  /** Whether the warning that the issuer's address for sign-outs is unsafe and not used was already logged. */
  #isUnsafeKnown = false;

  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {}

  /** Returns the address where the person signs in. @throws CochleaError `issuer_away`, `issuer_refused` */
  begin(redirect: string, { state, nonce, verifier }: SignInValues): Promise<URL> {
    return this.#reached(async (client, found) =>
      client.buildAuthorizationUrl(found, {
        redirect_uri: redirect,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    );
  }

  /**
   * Completes a sign-in.
   * @param query query of the redirect from the issuer.
   * @throws CochleaError `sign_in_ended`, `sign_in_busy`, `issuer_away`, `issuer_refused`, `issuer_clock`
   */
  finish(redirect: string, query: string, values: SignInValues): Promise<ConfirmedSignIn> {
    return this.#reached(async (client, found) => {
      const tokens = await client.authorizationCodeGrant(found, new URL(`${redirect}?${query}`), {
        pkceCodeVerifier: values.verifier,
        expectedState: values.state,
        expectedNonce: values.nonce,
        idTokenExpected: true,
      });
      const { iss, sub, iat, sid } = tokens.claims()!;
      // ID tokens of applications must also have this issuer name. So all uids come from the same issuer.
      if (iss !== this.settings.idTokenIssuer)
        throw new CochleaError('issuer_refused', { why: 'its name is not that of ID_TOKEN_ISSUER' });
      const isName = typeof sid === 'string' && sid !== '' && sid.length <= longestSession;
      return { uid: sub, issuedAt: iat * 1000 + 999, session: isName ? sid : null };
    });
  }

  /**
   * Returns the address at which the issuer ends the browser's sign-in (OpenID Connect RP-Initiated Logout 1.0). The
   * address contains the client id, so it needs no ID token. Never fails, because a sign-out must not depend on the
   * issuer.
   * @param redirect registered address to which the issuer redirects the browser afterwards.
   * @returns null if the issuer's metadata contains no safe address, or cannot be read within three seconds.
   */
  async signOutAddress(redirect: string, state: string): Promise<string | null> {
    try {
      const client = await import('openid-client');
      const found = await within(this.#discovered(client), longestWait, () => {
        throw new CochleaError('issuer_away');
      });
      const metadata = found.serverMetadata();
      if (metadata.end_session_endpoint === undefined) return null;
      if (isSafeEnd(metadata))
        return client.buildEndSessionUrl(found, { post_logout_redirect_uri: redirect, state }).href;
      if (!this.#isUnsafeKnown)
        this.log.warn('end_session_endpoint of ID_TOKEN_ISSUER is not used: not https, or of another origin');
      this.#isUnsafeKnown = true;
    } catch (error) {
      const { code } = error as { code?: unknown };
      this.log.warn({ reason: code }, 'sign-out at ID_TOKEN_ISSUER failed; the session here has ended');
    }
    return null;
  }

  async #reached<Result>(
    work: (client: OpenidClient, found: Configuration) => Promise<Result>,
  ): Promise<Result> {
    try {
      const client = await import('openid-client');
      return await work(client, await this.#discovered(client));
    } catch (error) {
      const shown = shownError(error);
      const { code } = error as { code?: unknown };
      this.log.warn({ reason: code, shown: shown.code }, 'sign-in at ID_TOKEN_ISSUER failed');
      throw shown;
    }
  }

  /** Returns the issuer's metadata. The first sign-in reads the metadata. */
  #discovered(client: OpenidClient): Promise<Configuration> {
    const { idTokenIssuer: issuer, consoleClientId: clientId, consoleClientSecret: secret } = this.settings;
    this.#found ??= discoverService(client, { issuer, clientId, clientSecret: secret || undefined });
    this.#found.catch(() => {
      this.#found = undefined;
    });
    return this.#found;
  }
}
