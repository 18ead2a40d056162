import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientMetadata } from 'oidc-provider';
import type { Settings } from '../config/index.js';
import { type OauthClient, parseOauthClients } from '../config/oauth-clients.js';
import { publicAddress, scopesOf, tokenAudience } from '../identity/index.js';

/** The client of the user's own applications; ID tokens are made for it alone. */
export const ownClient = (settings: Settings): string => tokenAudience(settings);
/** The client of the account page, which needs a session and no token. */
export const pageClient = (settings: Settings): string => `${tokenAudience(settings)}-account`;

/** Where a person is asked to sign in or to consent. */
export const interactionPath = '/interaction';
/** Where the account page is returned to after a sign-in. */
export const signedInPath = '/account/signed-in';

/** Redirects of applications on the user's machine, on any port (RFC 8252, 7.3). */
const loopbackRedirects = ['http://127.0.0.1/callback', 'http://[::1]/callback'];

/** What clients of assistants may ask for. */
export const assistantScopes: readonly string[] = scopesOf.mcp;

/** With what access tokens of assistants begin: it tells them from keys. */
export const accessTokenPrefix = (settings: Settings): string => `${settings.keyBrand}_oat_`;

/** The resource that access tokens of assistants open, in its canonical form. */
export const assistantResource = (settings: Settings): string => `${publicAddress(settings)}/v1/mcp/sse`;

/** The resource as clients may name it; null for another one. `/v1/mcp` and `/v1/mcp/sse` of this service are one. */
export const canonicalResource = (settings: Settings, given: string): string | null => {
  const own = assistantResource(settings);
  return given === own || given === own.replace(/\/sse$/, '') ? own : null;
};

/** Every assistant that may ask for access. */
export const assistantsOf = (settings: Settings): ReadonlyMap<string, OauthClient> => {
  const own = [ownClient(settings), pageClient(settings)];
  return new Map(
    parseOauthClients(settings.oauthClients)
      .filter(({ id }) => !own.includes(id))
      .map((client) => [client.id, client]),
  );
};

/** Segments of characters that no server decodes. */
const plainSegments = /^[\w.~-]+(\/[\w.~-]+)*\/?$/;
const dotSegment = /(^|\/)\.{1,2}(\/|$)/;

/**
 * Whether a redirect URI belongs to a client: one of its list exactly, or something below one of its prefixes, of the same
 * host, without query and fragment, and without segments or encoded characters that a server could resolve to somewhere else.
 */
export const redirectAllowed = (
  client: Pick<OauthClient, 'redirect_uris' | 'redirect_prefixes'>,
  given: string,
): boolean => {
  if (client.redirect_uris.includes(given)) return true;
  return client.redirect_prefixes.some((prefix) => {
    if (!given.startsWith(prefix)) return false;
    const below = given.slice(prefix.length);
    return plainSegments.test(below) && !dotSegment.test(below);
  });
};

const native: Partial<ClientMetadata> = {
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  id_token_signed_response_alg: 'ES256',
};

/** The metadata of every client, as oidc-provider takes it. */
export const clientMetadata = (settings: Settings): ClientMetadata[] => [
  {
    ...native,
    client_id: ownClient(settings),
    client_name: 'An application on your computer',
    redirect_uris: loopbackRedirects,
    scope: 'openid offline_access',
  },
  {
    ...native,
    application_type: 'web',
    client_id: pageClient(settings),
    client_name: 'Account',
    grant_types: ['authorization_code'],
    redirect_uris: [`${publicAddress(settings)}${signedInPath}`],
    scope: 'openid',
  },
  ...[...assistantsOf(settings).values()].map((client): ClientMetadata => {
    const redirects = [...client.redirect_uris, ...client.redirect_prefixes];
    const local = client.redirect_uris.some((address) => address.startsWith('http:'));
    return {
      ...native,
      application_type: local ? 'native' : 'web',
      client_id: client.id,
      client_name: client.name,
      redirect_uris: redirects,
      ...(client.secret_sha256 && {
        token_endpoint_auth_method: 'client_secret_post',
        client_secret: client.secret_sha256,
      }),
    };
  }),
];

/** Compares a client's secret with the SHA-256 that is configured, in constant time. */
export const isSecret = (configured: string, given: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), Buffer.from(configured, 'hex'));
