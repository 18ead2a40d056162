import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientMetadata } from 'oidc-provider';
import { publicAddress, type Settings } from '../config/index.js';
import { isLocal, type OauthClient, oauthPresets, parseOauthClients } from '../config/lists/index.js';
import { scopesOf, tokenAudience } from '../identity/index.js';

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

/** Every assistant that may ask for access: the presets that are switched on, and the operator's own, which take the place of a preset. */
export const assistantsOf = (settings: Settings): ReadonlyMap<string, OauthClient> => {
  const own = [ownClient(settings), pageClient(settings)];
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

/** What an assistant may ask for. */
export const scopesOfAssistant = ({ scopes }: Pick<OauthClient, 'scopes'>): readonly string[] =>
  assistantScopes.filter((scope) => scopes?.includes(scope) ?? true);

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
    return {
      ...native,
      // The provider asks the user of a native client each time: any program of the machine could come in its place.
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

/** Compares a client's secret with the SHA-256 that is configured, in constant time. */
export const isSecret = (configured: string, given: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), Buffer.from(configured, 'hex'));
