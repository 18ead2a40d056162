import { z } from 'zod';
import { parseJsonList } from './json-list.js';

const loopback = ['127.0.0.1', '[::1]', 'localhost'];

const issuer = z
  .url()
  .refine(
    (address) =>
      address.startsWith('https:') ||
      (address.startsWith('http:') && loopback.includes(new URL(address).hostname)),
    'must be https, or http on loopback',
  );

const upstreamProvider = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/)
    .refine((name) => name !== 'password', 'is the name of the sign-in here'),
  label: z.string().min(1).max(50),
  issuer,
  client_id: z.string().min(1).max(500),
  /** Secret with which this product authenticates at the provider; absent for a public client. */
  client_secret: z.string().min(1).max(500).optional(),
});

/** Another service where people may sign in (OpenID Connect). */
export type UpstreamProvider = z.output<typeof upstreamProvider>;

const list = z.array(upstreamProvider).max(20);

/** Parses the providers of `UPSTREAM_PROVIDERS`. @throws Error that names the fault without quoting the value. */
export const parseUpstreamProviders = (text: string): readonly UpstreamProvider[] =>
  parseJsonList(text, list, 'name', 'providers');
