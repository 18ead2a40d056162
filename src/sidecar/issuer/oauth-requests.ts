import type { Settings } from '../../config/index.js';
import { signInLimits } from '../../config/limits/index.js';
import type { OauthClient } from '../../config/lists/index.js';
import { CochleaError } from '../../errors/index.js';
import { assistantResource, canonicalResource } from '../../identity/index.js';
import {
  assistantScopes,
  assistantsOf,
  ownClient,
  scopesOfAssistant,
  type Upstreams,
} from '../../issuer/index.js';

/** An OAuth error that this service returns before the request reaches oidc-provider. */
export interface OauthError {
  readonly error: string;
  readonly error_description: string;
}

/** Replaces names of this service's resource by the canonical form, and removes duplicates. Removes blank resources (RFC 6749, 3.1). */
const canonical = (settings: Settings, parameters: URLSearchParams): void => {
  const given = parameters.getAll('resource').filter((one) => one !== '');
  parameters.delete('resource');
  for (const one of new Set(given.map((name) => canonicalResource(settings, name) ?? name)))
    parameters.append('resource', one);
};

const words = (text: string): string[] => [...new Set(text.split(/\s+/).filter(Boolean))];

/**
 * Returns those scopes of a request that the assistant may have. Drops scopes of OpenID Connect or of other services,
 * which clients also name (RFC 6749, 3.3). If the assistant may have none of the remaining scopes, returns them all,
 * and the request is refused later.
 * @returns null if the request names no scope of this service.
 */
const usableScopes = (assistant: OauthClient, text: string): string | null => {
  const known = words(text).filter((scope) => assistantScopes.includes(scope));
  if (known.length === 0) return null;
  const allowed = known.filter((scope) => scopesOfAssistant(assistant).includes(scope));
  return (allowed.length > 0 ? allowed : known).join(' ');
};

/** Values of `prompt` that the sign-in supports. Other values are dropped, for example account selection. */
const prompts = ['none', 'login', 'consent'];

/** Whether a client may use the resources that it names. Own applications have no resource. */
const resourceServed = (settings: Settings, fields: URLSearchParams): boolean =>
  fields.getAll('resource').every((one) => one === assistantResource(settings)) &&
  (!fields.has('resource') || assistantsOf(settings).has(fields.get('client_id') ?? ''));

/**
 * Adds defaults to the address of an authorization request. If the request of an assistant names no scopes, it gets all
 * scopes that the assistant may have, and the user chooses among them.
 * @throws CochleaError `bad_request` for a request that is too long or contains NUL characters, because it cannot be
 * stored until the person has decided.
 */
export const authorizationUrl = (settings: Settings, url: string): string => {
  const most = signInLimits.authorizationRequest.value;
  if (url.length > most) {
    throw new CochleaError('bad_request', { why: `An authorization request has at most ${most} characters` });
  }
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark));
  if ([...parameters.values()].some((value) => value.includes('\0'))) {
    throw new CochleaError('bad_request', { why: 'An authorization request has no NUL characters' });
  }
  // The issuer's metadata offers only the mode `query`. Another mode of oidc-provider needs a script, which these
  // pages forbid.
  if ((parameters.get('response_mode') || 'query') !== 'query')
    parameters.set('response_mode', 'unsupported');
  canonical(settings, parameters);
  // A repeated `prompt` stays, and oidc-provider refuses it.
  if (parameters.getAll('prompt').length === 1) {
    const usable = words(parameters.get('prompt')!).filter((word) => prompts.includes(word));
    if (usable.length > 0) parameters.set('prompt', usable.join(' '));
    else parameters.delete('prompt');
  }
  const assistant = assistantsOf(settings).get(parameters.get('client_id') ?? '');
  if (assistant && parameters.getAll('scope').length <= 1) {
    const usable = usableScopes(assistant, parameters.get('scope') ?? '');
    parameters.set('scope', usable ?? scopesOfAssistant(assistant).join(' '));
  }
  return `${path}?${parameters}`;
};

/** The provider name of the password sign-in on this service. */
const ownProvider = 'password';

/**
 * Converts an own application's request at `/v1/auth/authorize` to the address of an authorization request.
 * @returns null for an unknown provider.
 */
export const ownAuthorizationUrl = (
  settings: Settings,
  upstreams: Pick<Upstreams, 'has'>,
  url: string,
): string | null => {
  const given = new URL(url, 'http://localhost').searchParams;
  const provider = given.get('provider') || ownProvider;
  if (provider !== ownProvider && !upstreams.has(provider)) return null;
  const query = new URLSearchParams({
    client_id: ownClient(settings),
    response_type: 'code',
    scope: 'openid offline_access',
    prompt: 'consent',
    ...(provider !== ownProvider && { provider }),
  });
  for (const name of ['redirect_uri', 'state', 'nonce', 'code_challenge', 'code_challenge_method']) {
    for (const value of given.getAll(name)) query.append(name, value);
  }
  return `/authorize?${query}`;
};

/** Returns the fields of a form, or of a JSON object of strings. Returns null for another body. */
const fieldsOf = (body: unknown, contentType: string): URLSearchParams | null => {
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) {
    return typeof body === 'string' || body === undefined ? new URLSearchParams(body) : null;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const entries = Object.entries(body);
  return entries.every(([, value]) => typeof value === 'string')
    ? new URLSearchParams(entries as [string, string][])
    : null;
};

/** Returns the client id of a Basic header with a blank secret; null for any other header. */
const blankBasic = (authorization: string | undefined): string | null => {
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1];
  if (!encoded) return null;
  const named = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString())?.[1];
  try {
    return named === undefined ? null : decodeURIComponent(named.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/**
 * Converts a token request to the form that oidc-provider expects. Assistants send forms or JSON, and may have a secret field that their
 * users leave empty. A blank secret counts as no secret, also in an HTTP Basic header.
 */
export const tokenRequest = (
  settings: Settings,
  body: unknown,
  headers: { readonly 'content-type'?: string; readonly authorization?: string },
): { readonly body: URLSearchParams; readonly withoutAuthorization: boolean } | OauthError => {
  const fields = fieldsOf(body, headers['content-type'] ?? '');
  if (fields === null) {
    return {
      error: 'invalid_request',
      error_description: 'the body is neither a form nor a JSON object of strings',
    };
  }
  if (fields.getAll('client_secret').every((secret) => secret === '')) fields.delete('client_secret');
  const blank = blankBasic(headers.authorization);
  const withoutAuthorization = blank !== null && [null, blank].includes(fields.get('client_id'));
  if (withoutAuthorization) fields.set('client_id', blank!);
  canonical(settings, fields);
  const assistant = assistantsOf(settings).get(fields.get('client_id') ?? '');
  if (assistant && fields.getAll('scope').length === 1) {
    const usable = usableScopes(assistant, fields.get('scope')!);
    if (usable === null) fields.delete('scope');
    else fields.set('scope', usable);
  }
  // Checks the resource here. If oidc-provider refuses a resource, it has already used up the refresh token, which
  // the client then lacks.
  if (fields.get('grant_type') === 'refresh_token' && !resourceServed(settings, fields)) {
    return { error: 'invalid_target', error_description: 'resource indicator is missing, or unknown' };
  }
  if (fields.get('grant_type') === 'authorization_code' && !fields.get('code_verifier')) {
    return { error: 'invalid_request', error_description: 'code_verifier is missing' };
  }
  return { body: fields, withoutAuthorization };
};
