import { z } from 'zod';
import { oauthPresetNames, parseOauthClients, parseUpstreamProviders } from '../lists/index.js';
import { integer, list, parsedText, type Setting, setting, text, textLike } from './setting.js';

const day = 86_400;

/** Settings of the sign-in at the built-in issuer, and lifetimes of the tokens that assistants receive. */
export const accountsSettings = {
  signUp: setting(
    'SIGN_UP',
    z.enum(['open', 'closed']).default('open'),
    'open: everyone who can read mail at an address can create an account. closed: only users created with "cochlea users create --email" can set a password.',
  ),
  smtpUrl: setting(
    'SMTP_URL',
    textLike(/^$|^smtps?:\/\/\S+$/, 'must look like smtp://user:password@host:587'),
    'Mail server for links of sign-up and password reset, smtp:// or smtps://. Empty: mail is written to the folder mail of the data folder.',
    { secret: true },
  ),
  mailFrom: setting('MAIL_FROM', text(''), 'Sender of mail; empty: no-reply at the host of PUBLIC_URL.'),
  mailLinkLifetime: setting(
    'MAIL_LINK_LIFETIME',
    integer(3600, 60, 7 * day),
    'Lifetime of links sent by mail.',
    { unit: 's' },
  ),
  sessionLifetime: setting(
    'SESSION_LIFETIME',
    integer(14 * day, 60, 365 * day),
    'Lifetime of a browser session, counted from the last sign-in or authorization in that browser.',
    { unit: 's' },
  ),
  signedInTokenLifetime: setting(
    'SIGNED_IN_TOKEN_LIFETIME',
    integer(3600, 60, 30 * day),
    'Lifetime of ID tokens from a sign-in; applications renew them.',
    { unit: 's' },
  ),
  codeLifetime: setting('CODE_LIFETIME', integer(600, 10, 600), 'Lifetime of authorization codes.', {
    unit: 's',
  }),
  accessTokenLifetime: setting(
    'ACCESS_TOKEN_LIFETIME',
    integer(3600, 10, day),
    'Lifetime of access tokens of assistants.',
    { unit: 's' },
  ),
  refreshTokenLifetime: setting(
    'REFRESH_TOKEN_LIFETIME',
    integer(365 * day, 60, 3650 * day),
    'Lifetime of unused refresh tokens, and of the grants that assistants got.',
    { unit: 's' },
  ),
  oauthClients: setting(
    'OAUTH_CLIENTS',
    parsedText(parseOauthClients),
    'Assistants that may ask for access, as a JSON list of {"id","name","redirect_uris","redirect_prefixes","secret_sha256","scopes"}; see docs/auth.md.',
  ),
  oauthPresets: setting(
    'OAUTH_PRESETS',
    list('').pipe(z.array(z.enum(oauthPresetNames))),
    `Common assistants that may ask for access, by name: ${oauthPresetNames.join(', ')}. A client of OAUTH_CLIENTS with the same id takes its place; see docs/auth.md.`,
  ),
  upstreamProviders: setting(
    'UPSTREAM_PROVIDERS',
    parsedText(parseUpstreamProviders),
    'Other services where people may sign in, as a JSON list of {"name","label","issuer","client_id","client_secret"}; see docs/auth.md.',
    { secret: true },
  ),
  maxSignInRequestsPerAddress: setting(
    'MAX_SIGN_IN_REQUESTS_PER_ADDRESS',
    integer(120, 1, 1_000_000),
    'Maximum number of requests a minute to the pages and endpoints of the built-in issuer, from one client address (IPv6: /64). The same number can come at once. This machine is exempt.',
    {
      protects: 'the processor and the database from guesses and floods',
      client: 'HTTP 429 `rate_limited` with `Retry-After`',
    },
  ),
} as const satisfies Record<string, Setting>;
