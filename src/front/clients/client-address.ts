import type { Settings } from '../../config/index.js';
import { type ClientAddress, ClientAddresses } from '../../identity/index.js';
import type { HttpRequest, HttpResponse } from '../listener/index.js';

type Peer = Pick<HttpResponse, 'getRemoteAddressAsText'>;
type Headers = Pick<HttpRequest, 'forEach'>;

const decoder = new TextDecoder();

/**
 * Returns all values of a header in order, joined by commas. A proxy may append a second header with the same name. The
 * listener's `getHeader` would return only the first header, which the client itself wrote and which may be empty.
 */
const everyValue = (request: Headers, wanted: string): string => {
  const values: string[] = [];
  request.forEach((name, value) => {
    if (name === wanted) values.push(value);
  });
  return values.join(',');
};

/**
 * Returns the client's address. Call it before the request's handler returns, because request and response are invalid
 * afterwards.
 */
export type ReadClientAddress = (response: Peer, request: Headers) => ClientAddress;

/**
 * Creates the function that determines the client's address, for upgrades and for requests to the sidecar. With
 * `AUTH_MODE=uid` no proxy is trusted, and requests that passed a proxy are refused. All clients then belong to one
 * operator on this machine, so no limit per address applies.
 */
export const clientAddressReader = (settings: Settings): ReadClientAddress => {
  const onTrial = settings.authMode === 'uid';
  const addresses = new ClientAddresses(onTrial ? ['none'] : settings.trustedProxies);
  return (response, request) => {
    const peer = decoder.decode(response.getRemoteAddressAsText());
    const client = addresses.of(peer, addresses.trusts(peer) ? everyValue(request, 'x-forwarded-for') : '');
    return onTrial ? { ...client, exempt: true } : client;
  };
};
