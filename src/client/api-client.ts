import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './description.js';

/** REST API client with requests and answers typed by the API's description. */
export type ApiClient = Client<paths>;

/** Schemas of the API's description by name. */
export type Schemas = components['schemas'];

export interface ApiClientOptions {
  /** Base address of the service, with or without a trailing slash. */
  readonly baseUrl: string;
  /** A developer key or an ID token; absent for routes without authentication. */
  readonly credential?: string;
  /** Replaces Node's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a client. Every method takes a path of the description. It resolves with `data` or, for a status of 400 and above, with
 * `error`. It rejects only if no answer arrives.
 */
export const createApiClient = ({ baseUrl, credential, fetch }: ApiClientOptions): ApiClient =>
  createClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(credential !== undefined && { headers: { authorization: `Bearer ${credential}` } }),
    ...(fetch !== undefined && { fetch }),
  });
