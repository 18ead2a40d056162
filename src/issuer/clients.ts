import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientMetadata } from 'oidc-provider';
import { publicAddress, type Settings } from '../config/index.js';
import { isLocal, type OauthClient, oauthPresets, parseOauthClients } from '../config/lists/index.js';
import { scopesOf, tokenAudience } from '../identity/index.js';

/**
 * Returns the id of the OAuth client for the user's own applications. Only ID tokens for this client give access to the
 * API.
 */
export const ownClient = (settings: Settings): string => tokenAudience(settings);
/** Returns the id of the OAuth client for the account page. The page needs a session but no token. */
export const pageClient = (settings: Settings): string => `${tokenAudience(settings)}-account`;

/** Returns the id of the OAuth client for the console. ID tokens for this client only give access to the console. */
export const consoleClient = (settings: Settings): string => `${tokenAudience(settings)}-console`;
/** Returns the ids of all clients that belong to this service. "Sign out everywhere" ends their tokens and grants. */
export const firstPartyClients = (settings: Settings): string[] => [
  ownClient(settings),
  pageClient(settings),
  consoleClient(settings),
];

/** Path of the pages for sign-in and consent. */
export const interactionPath = '/interaction';
/** Redirect path of the account page after a sign-in. */
export const signedInPath = '/account/signed-in';
/** Redirect path of the console after a sign-in. */
export const consoleSignedInPath = '/console/signed-in';
/** Redirect path of the console after a sign-out at the operator's own issuer. */
export const consoleSignedOutPath = '/console/signed-out';

/** Redirect addresses of applications on the user's machine. Any port is accepted (RFC 8252, 7.3). */
const loopbackRedirects = ['http://127.0.0.1/callback', 'http://[::1]/callback'];

/** Scopes that assistants' clients may request. */
export const assistantScopes: readonly string[] = scopesOf.mcp;

/** Returns the prefix of assistants' access tokens, which distinguishes them from keys. */
export const accessTokenPrefix = (settings: Settings): string => `${settings.keyBrand}_oat_`;

/**
 * Returns all assistants that may request access: the enabled presets, and the clients that the operator declares. An
 * operator's client replaces the preset with the same id.
 */
export const assistantsOf = (settings: Settings): ReadonlyMap<string, OauthClient> => {
  const own = firstPartyClients(settings);
  const presets = settings.oauthPresets.map((id): OauthClient => ({ id, ...oauthPresets[id] }));
  return new Map(
    [...presets, ...parseOauthClients(settings.oauthClients)]
      .filter(({ id }) => !own.includes(id))
      .map((client) => [client.id, client]),
  );
};

const native: Partial<ClientMetadata> = {
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  id_token_signed_response_alg: 'ES256',
};

/** Returns the scopes that an assistant may request. */
export const scopesOfAssistant = ({ scopes }: Pick<OauthClient, 'scopes'>): readonly string[] =>
  assistantScopes.filter((scope) => scopes?.includes(scope) ?? true);

/** Returns the metadata of all clients in oidc-provider's format. */
export const clientMetadata = (settings: Settings): ClientMetadata[] => [
  {
    ...native,
    client_id: ownClient(settings),
    client_name: 'An application on your computer',
    redirect_uris: loopbackRedirects,
    scope: 'openid offline_access',
  },
  ...[
    { client_id: pageClient(settings), client_name: 'Account', path: signedInPath },
    { client_id: consoleClient(settings), client_name: 'Console', path: consoleSignedInPath },
  ].map(
    ({ path, ...client }): ClientMetadata => ({
      ...native,
      ...client,
      application_type: 'web',
      grant_types: ['authorization_code'],
      redirect_uris: [`${publicAddress(settings)}${path}`],
      scope: 'openid',
    }),
  ),
  ...[...assistantsOf(settings).values()].map((client): ClientMetadata => {
    const redirects = [...client.redirect_uris, ...client.redirect_prefixes];
    return {
      ...native,
      // For a native client, the provider asks the user for consent to every authorization, because another program on
      // the user's machine could impersonate the client.
      application_type: redirects.some(isLocal) ? 'native' : 'web',
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

/** Compares a client's secret with the configured SHA-256 in constant time. */
export const isSecret = (configured: string, given: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), Buffer.from(configured, 'hex'));
