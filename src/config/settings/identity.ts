import { z } from 'zod';
import { integer, list, type Setting, setting, text, textLike } from './setting.js';

/** Settings of the authentication of users, and names of the issuer. */
export const identitySettings = {
  authMode: setting(
    'AUTH_MODE',
    z.enum(['token', 'uid']).default('token'),
    'token: clients send ID tokens. uid: a bare uid is accepted, for trials on this machine; refused with a listen address beyond loopback.',
  ),
  idTokenIssuer: setting(
    'ID_TOKEN_ISSUER',
    text(''),
    'Issuer of ID tokens, their "iss"; empty: the built-in issuer, named PUBLIC_URL or "cochlea".',
  ),
  idTokenJwks: setting('ID_TOKEN_JWKS', text(''), "Address of the issuer's JWKS; empty: found by discovery."),
  idTokenFormerIssuers: setting(
    'ID_TOKEN_FORMER_ISSUERS',
    list(''),
    'Earlier names of the built-in issuer, from before PUBLIC_URL changed. Tokens with these names stay valid.',
  ),
  idTokenAudience: setting('ID_TOKEN_AUDIENCE', text(''), 'Audience ID tokens must carry; empty: cochlea.'),
  consoleClientId: setting(
    'CONSOLE_CLIENT_ID',
    text(''),
    'Id of the console as a client of ID_TOKEN_ISSUER. With it, people sign in at the console with that issuer; see docs/auth.md.',
  ),
  consoleClientSecret: setting(
    'CONSOLE_CLIENT_SECRET',
    text(''),
    'Secret of that client, sent in the body of token requests; empty: a public client.',
    { secret: true },
  ),
  idTokenLifetime: setting(
    'ID_TOKEN_LIFETIME',
    integer(2_592_000, 60, 31_536_000),
    'Lifetime of tokens created by "cochlea users create".',
    { unit: 's' },
  ),
  issuerSecret: setting(
    'ISSUER_SECRET',
    textLike(/^$|^[\x21-\x7e]{32,1024}$/, 'must be 32 characters or more, without spaces'),
    'Secret that encrypts the private keys of the built-in issuer in the database and signs its cookies. It must be the same on every machine. Empty: the first start creates the file issuer-secret in the data folder.',
    { secret: true },
  ),
  keyBrand: setting(
    'KEY_BRAND',
    z
      .string()
      .regex(/^[a-z0-9]{1,16}$/)
      .default('svc'),
    'Brand part of key prefixes: BRAND_dev_..., BRAND_mcp_....',
  ),
} as const satisfies Record<string, Setting>;
