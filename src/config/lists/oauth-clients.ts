import { z } from 'zod';
import { parseJsonList } from './json-list.js';
import { canRegister, canRegisterBelow, isLocal, isSecureLoopback } from './redirect-addresses.js';

const redirectUri = z
  .string()
  .max(2000)
  .refine(canRegister, 'must be https, http on loopback, or a private-use scheme as in cursor://host/path');
const redirectPrefix = z
  .string()
  .max(2000)
  .refine(
    canRegisterBelow,
    'must be https or http on loopback, as browsers spell it, without a query, and end in a slash',
  );

const oauthClient = z
  .strictObject({
    id: z.string().regex(/^[\w.-]{1,64}$/),
    name: z.string().min(1).max(100),
    redirect_uris: z.array(redirectUri).max(50).default([]),
    redirect_prefixes: z.array(redirectPrefix).max(50).default([]),
    /** SHA-256 of the client's secret, in hex; absent for a public client, which has no secret. */
    secret_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    /** Scopes that the client may request; absent: all. */
    scopes: z.array(z.string()).min(1).optional(),
  })
  .refine(({ redirect_uris, redirect_prefixes }) => redirect_uris.length + redirect_prefixes.length > 0, {
    message: 'needs redirect_uris or redirect_prefixes',
  })
  .refine(
    ({ redirect_uris, redirect_prefixes }) => {
      const all = [...redirect_uris, ...redirect_prefixes];
      return !all.some(isLocal) || !all.some(isSecureLoopback);
    },
    { message: 'https on loopback cannot stand beside http on loopback or a private-use scheme' },
  );

/**
 * An OAuth client that asks users for access, such as an assistant. The users' own applications are not in this list.
 */
export type OauthClient = z.output<typeof oauthClient>;

const oauthClients = z.array(oauthClient).max(200);

/** Parses the clients of `OAUTH_CLIENTS`. @throws Error that names the fault without quoting the value. */
export const parseOauthClients = (text: string): readonly OauthClient[] =>
  parseJsonList(text, oauthClients, 'id', 'clients');
