import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { JWK } from 'jose';
import {
  type ClientAuthMethod,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { publicAddress, type Settings } from '../config/index.js';
import { assistantResource, derivedKey, type SigningKey } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import { findUser, liveGrantOf } from '../store/accounts/index.js';
import type { Sql } from '../store/client/index.js';
import {
  assistantsOf,
  clientMetadata,
  consoleClient,
  interactionPath,
  isSecret,
  pageClient,
  scopesOfAssistant,
} from './clients.js';
import { guarded, RecordAdapter } from './record-adapter.js';
import { redirectAllowed } from './redirects.js';

export interface ProviderOptions {
  readonly sql: Sql;
  readonly settings: Settings;
  readonly secret: string;
  readonly key: SigningKey;
  readonly log: Logger;
  /** Returns the page for an error that cannot be sent to the client. */
  readonly errorPage: (title: string, text: string) => string;
  /** Content security policy of the error page. */
  readonly pagePolicy: string;
}

/** Creates the OAuth error for codes, refresh tokens and browsers of a user whose account is being deleted. */
const deletionError = (): Error =>
  Object.assign(new errors.AccessDenied('account_deletion_in_progress'), {
    status: 403,
    statusCode: 403,
    expose: true,
    allow_redirect: false,
  });

const seconds = {
  interaction: 3600,
} as const;

/**
 * Finds the grant of a user to a client. For the account page and the console, creates a grant without asking the user.
 * When another client returns, removes the marks of scopes that the user denied earlier, so that the user is asked
 * about these scopes again. When the user has just decided, the grant stays unchanged.
 */
const existingGrant = async (sql: Sql, settings: Settings, { oidc }: KoaContextWithOIDC) => {
  const { provider, session, result } = oidc;
  const client = oidc.client!;
  const accountId = session!.accountId!;
  const decided = result?.consent?.grantId;
  const id = decided ?? (await guarded(liveGrantOf(sql, accountId, client.clientId)));
  const grant = id ? await provider.Grant.find(id) : undefined;
  if (!grant || grant.accountId !== accountId || grant.clientId !== client.clientId) {
    if (![pageClient(settings), consoleClient(settings)].includes(client.clientId)) return undefined;
    const own = new provider.Grant({ accountId, clientId: client.clientId });
    own.addOIDCScope('openid');
    await own.save();
    return own;
  }
  if (!decided) Reflect.deleteProperty(grant, 'rejected');
  return grant;
};

/**
 * Returns the provider's options for resources of access tokens. The tool server is the only resource, and only
 * assistants get access tokens for it.
 */
const resourceIndicators = (settings: Settings) => {
  const assistants = assistantsOf(settings);
  return {
    enabled: true,
    defaultResource: (_ctx, client, oneOf) => {
      if (!assistants.has(client.clientId)) return undefined as never;
      return oneOf?.[0] ?? assistantResource(settings);
    },
    useGrantedResource: () => true,
    getResourceServerInfo(ctx, resource, client) {
      const assistant = assistants.get(client.clientId);
      if (!assistant || resource !== assistantResource(settings)) throw new errors.InvalidTarget();
      const allowed = scopesOfAssistant(assistant);
      const unknown = String(ctx.oidc.params?.scope ?? '')
        .split(' ')
        .filter((scope) => scope !== '' && !allowed.includes(scope));
      if (unknown.length > 0) throw new errors.InvalidScope('unknown scope', unknown.join(' '));
      return {
        scope: allowed.join(' '),
        audience: resource,
        accessTokenFormat: 'opaque',
        accessTokenTTL: settings.accessTokenLifetime,
      };
    },
  } satisfies NonNullable<Configuration['features']>['resourceIndicators'];
};

const cookiesOf = (settings: Settings, secret: string) => {
  const secure = publicAddress(settings).startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true, overwrite: true } as const;
  return {
    keys: [derivedKey(secret, 'cookies').toString('hex')],
    long: cookie,
    short: cookie,
    // Browsers accept a cookie named `__Host-...` only from this host over https. So another host of the same domain
    // cannot set a session cookie for this host.
    names: {
      session: secure ? '__Host-cochlea_session' : 'cochlea_session',
      interaction: secure ? '__Secure-cochlea_interaction' : 'cochlea_interaction',
      resume: secure ? '__Secure-cochlea_resume' : 'cochlea_resume',
    },
  } satisfies Configuration['cookies'];
};

const configuration = (options: ProviderOptions): Configuration => {
  const { sql, settings, secret, key, errorPage, pagePolicy } = options;
  return {
    adapter: (kind: string) => new RecordAdapter(sql, kind),
    clients: clientMetadata(settings),
    jwks: { keys: [key.privateJwk as JWK & { kty: 'EC' }] } as never,
    async findAccount(_ctx, uid) {
      const user = await guarded(findUser(sql, uid));
      if (user === null) return undefined;
      if (user.deleting) throw deletionError();
      return { accountId: uid, claims: () => ({ sub: uid }) };
    },
    claims: { openid: ['sub'] },
    scopes: ['openid', 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_post'] satisfies ClientAuthMethod[],
    pkce: { required: () => true },
    cookies: cookiesOf(settings, secret),
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: resourceIndicators(settings),
    },
    // Parameter of an authorization request with which an application chooses the upstream service for the sign-in.
    extraParams: ['provider'],
    interactions: { url: (_ctx, { uid }) => `${interactionPath}/${uid}` },
    loadExistingGrant: (ctx) => existingGrant(sql, settings, ctx),
    // Grants do not end with the browser session. Grants of the user's own applications end with "sign out everywhere".
    expiresWithSession: async () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    renderError: async (ctx, out) => {
      const text = `${out.error_description ?? 'The request cannot be answered.'} (${out.error})`;
      if (ctx.accepts('json', 'html') !== 'html') {
        ctx.body = { error: out.error, error_description: out.error_description };
        return;
      }
      ctx.type = 'html';
      ctx.set('content-security-policy', pagePolicy);
      ctx.body = errorPage('This link does not work', text);
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      revocation: '/token/revoke',
      jwks: '/.well-known/jwks.json',
    },
    ttl: {
      AccessToken: settings.accessTokenLifetime,
      AuthorizationCode: settings.codeLifetime,
      Grant: settings.refreshTokenLifetime,
      IdToken: settings.signedInTokenLifetime,
      Interaction: seconds.interaction,
      RefreshToken: settings.refreshTokenLifetime,
      Session: settings.sessionLifetime,
    },
  };
};

/** Creates the OpenID provider for one signing key. The provider keeps no data in memory. */
export const createProvider = (options: ProviderOptions): Provider => {
  const { settings, log } = options;
  const provider = new Provider(publicAddress(settings), configuration(options));
  const assistants = assistantsOf(settings);
  // These methods are documented extension points of oidc-provider's client model.
  const { prototype } = provider.Client as unknown as {
    prototype: {
      clientId: string;
      clientSecret: string;
      redirectUriAllowed(given: string): boolean;
      compareClientSecret(given: string): boolean;
    };
  };
  const { redirectUriAllowed } = prototype;
  prototype.redirectUriAllowed = function (given) {
    const assistant = assistants.get(this.clientId);
    return assistant ? redirectAllowed(assistant, given) : redirectUriAllowed.call(this, given);
  };
  prototype.compareClientSecret = function (given) {
    return isSecret(this.clientSecret, given);
  };
  for (const [model, kind, bytes] of [
    [provider.AuthorizationCode, 'code', 32],
    [provider.AccessToken, 'oat', 32],
    [provider.RefreshToken, 'ort', 48],
  ] as const) {
    const prefix = `${settings.keyBrand}_${kind}_`;
    const prototype = model.prototype as unknown as { generateTokenId(): string };
    const { generateTokenId } = prototype;
    prototype.generateTokenId = function () {
      // oidc-provider's method must run, because it also determines the token's format. The id that it returns is
      // replaced by an id with a prefix.
      generateTokenId.call(this);
      return prefix + randomBytes(bytes).toString('base64url');
    };
  }
  // The front forwards the client's scheme in a header.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    ctx.set('cache-control', 'no-store');
    if (ctx.status === 503) ctx.set('retry-after', '30');
  });
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'sign-in failed'));
  // Without this listener Koa would print errors on standard error.
  (provider as unknown as EventEmitter).on('error', (err) => log.error({ err }, 'sign-in failed'));
  return provider;
};
