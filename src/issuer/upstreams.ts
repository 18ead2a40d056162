import { createHmac } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { storableText } from '../common/index.js';
import { publicAddress, type Settings } from '../config/index.js';
import { parseUpstreamProviders, type UpstreamProvider } from '../config/lists/index.js';
import { CochleaError } from '../errors/index.js';
import { derivedKey, issuerSecret } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import type { UpstreamIdentity } from '../store/accounts/index.js';
import { discoverService, type OpenidClient } from './discovered-service.js';
import { canonicalEmail } from './email-address.js';

const longestName = 200;
const longestSubject = 255;

/** Path of redirects from other services. */
export const upstreamCallback = '/v1/auth/callback';

/**
 * Sign-in at other services. PKCE verifier, nonce and state of a sign-in are computed from the issuer's secret and the
 * interaction's id, so they need no storage. A signed cookie binds the interaction to one browser.
 */
export class Upstreams {
  readonly #providers: ReadonlyMap<string, UpstreamProvider>;
  readonly #found = new Map<string, Promise<Configuration>>();

  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {
    this.#providers = new Map(
      parseUpstreamProviders(settings.upstreamProviders).map((one) => [one.name, one]),
    );
  }

  /** The services: the name used in settings and addresses, and the label shown to people. */
  get list(): readonly { readonly name: string; readonly label: string }[] {
    return [...this.#providers.values()].map(({ name, label }) => ({ name, label }));
  }

  has(name: string): boolean {
    return this.#providers.has(name);
  }

  /** Returns the address of the other service where the person signs in. @throws CochleaError `upstream_failed` */
  begin(name: string, interaction: string): Promise<URL> {
    return this.#reached(name, async (provider, client, found) => {
      const { state, nonce, verifier } = await this.#remembered(name, interaction);
      return client.buildAuthorizationUrl(found, {
        redirect_uri: this.#redirect(provider),
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    });
  }

  /**
   * Returns the id of the interaction in a state that another service has returned; null if the state is malformed. The
   * state is not verified here.
   */
  interactionOf(state: unknown): string | null {
    return typeof state === 'string' ? (/^([\w-]{10,100})\.[\w-]{43}$/.exec(state)?.[1] ?? null) : null;
  }

  /**
   * Completes the sign-in and returns the person's identity.
   * @param query query of the redirect from the other service.
   * @throws CochleaError `upstream_failed`
   */
  finish(name: string, interaction: string, query: string): Promise<UpstreamIdentity> {
    return this.#reached(name, async (provider, client, found) => {
      const { state, nonce, verifier } = await this.#remembered(name, interaction);
      const tokens = await client.authorizationCodeGrant(
        found,
        new URL(`${this.#redirect(provider)}?${query}`),
        {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        },
      );
      const { iss, sub, email, email_verified, name: called } = tokens.claims()!;
      if (sub === '' || sub.length > longestSubject || storableText(sub) !== sub)
        throw new Error('a strange subject');
      return {
        issuer: iss,
        subject: sub,
        email: email_verified === true && typeof email === 'string' ? canonicalEmail(email) : null,
        name: typeof called === 'string' ? storableText(called).trim().slice(0, longestName) || null : null,
      };
    });
  }

  #redirect({ name }: UpstreamProvider): string {
    return `${publicAddress(this.settings)}${upstreamCallback}/${name}`;
  }

  async #remembered(name: string, interaction: string) {
    const key = derivedKey(await issuerSecret(this.settings), 'upstream sign-in');
    const secret = (what: string): string =>
      createHmac('sha256', key).update(`${what}\n${name}\n${interaction}`).digest('base64url');
    return {
      state: `${interaction}.${secret('state')}`,
      nonce: secret('nonce'),
      verifier: secret('verifier'),
    };
  }

  async #reached<Result>(
    name: string,
    work: (provider: UpstreamProvider, client: OpenidClient, found: Configuration) => Promise<Result>,
  ): Promise<Result> {
    const provider = this.#providers.get(name);
    if (!provider) throw new CochleaError('not_found');
    try {
      const client = await import('openid-client');
      return await work(provider, client, await this.#discovered(provider, client));
    } catch (error) {
      if (error instanceof CochleaError) throw error;
      this.log.warn({ err: error, provider: name }, 'sign-in at another service failed');
      throw new CochleaError('upstream_failed', { provider: provider.label }, { cause: error });
    }
  }

  /** Returns the metadata of the other service. The first sign-in reads the metadata. */
  #discovered(provider: UpstreamProvider, client: OpenidClient): Promise<Configuration> {
    let found = this.#found.get(provider.name);
    if (!found) {
      const { issuer, client_id: clientId, client_secret: clientSecret } = provider;
      found = discoverService(client, { issuer, clientId, clientSecret });
      this.#found.set(provider.name, found);
      found.catch(() => this.#found.delete(provider.name));
    }
    return found;
  }
}
