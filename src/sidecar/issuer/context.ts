import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { type ClientAddress, ClientAddresses } from '../../identity/index.js';
import type { Accounts, Issuer, Upstreams } from '../../issuer/index.js';
import type { Sql } from '../../store/client/index.js';
import type { BrowserMemory } from './browser-memory.js';
import { pagePolicy } from './html.js';

/** The dependencies of the issuer's pages. */
export interface PageContext {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly issuer: Issuer;
  readonly accounts: Accounts;
  readonly upstreams: Upstreams;
  readonly browsers: BrowserMemory;
}

/** Sends a page. @param redirect origin to which the page's form may lead, in addition to this service. */
export const sendPage = (reply: FastifyReply, text: string, status = 200, redirect?: string): FastifyReply =>
  reply
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy(redirect))
    // With `no-referrer` browsers would send forms without their origin.
    .header('referrer-policy', 'same-origin')
    .send(text);

/** The fields of a form from a page of this service. */
export type Form = URLSearchParams;

/**
 * Reads a form. The form must come from a page of this service. Browsers prove this with the header `Origin`.
 * @throws CochleaError `form_foreign` for a page of another origin, or a form without an origin.
 */
export const formOf = (request: FastifyRequest, settings: Settings): Form => {
  const { origin } = request.headers;
  const own = [publicAddress(settings), `${request.protocol}://${request.host}`];
  const isOwn = (address: string): boolean => URL.canParse(address) && new URL(address).origin === origin;
  if (origin === undefined || !own.some(isOwn)) {
    throw new CochleaError('form_foreign');
  }
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
};

const addresses = new ClientAddresses(['loopback']);

/** Returns the key for rate limits by client address. */
export const clientOf = (request: FastifyRequest): ClientAddress => addresses.of(request.ip, '');
