import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './description.js';

/** A client of the REST API whose requests and answers are typed by the API's description. */
export type ApiClient = Client<paths>;

/** Schemas of the API's description by their names. */
export type Schemas = components['schemas'];

export interface ApiClientOptions {
  /** Base address of the service, with or without a slash at its end. */
  readonly baseUrl: string;
  /** A developer key or an ID token; none for routes that need none. */
  readonly credential?: string;
  /** Instead of Node's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Makes a client. Every method takes a path of the description and resolves with `data` or, for a status of 400 and above, with
 * `error`; it rejects only when there is no answer.
 */
export const createApiClient = ({ baseUrl, credential, fetch }: ApiClientOptions): ApiClient =>
  createClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(credential !== undefined && { headers: { authorization: `Bearer ${credential}` } }),
    ...(fetch !== undefined && { fetch }),
  });
