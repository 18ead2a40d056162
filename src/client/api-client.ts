import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './description.js';

/** REST client whose requests and answers have the types of the API's description. */
export type ApiClient = Client<paths>;

/** Schemas of the API's description by name. */
export type Schemas = components['schemas'];

export interface ApiClientOptions {
  /** Base address of the service, with or without a trailing slash. */
  readonly baseUrl: string;
  /** A developer key or an ID token; absent for routes without authentication. */
  readonly credential?: string;
  /** Function used instead of Node's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a client. Each method of the client takes a path of the API's description. The method resolves with `data`,
 * or with `error` for a status of 400 and above. It rejects only if no answer arrives.
 */
export const createApiClient = ({ baseUrl, credential, fetch }: ApiClientOptions): ApiClient =>
  createClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(credential !== undefined && { headers: { authorization: `Bearer ${credential}` } }),
    ...(fetch !== undefined && { fetch }),
  });
