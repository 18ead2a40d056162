import type { Settings } from '../../config/index.js';
import { type ClientAddress, ClientAddresses } from '../../identity/index.js';
import type { HttpRequest, HttpResponse } from '../listener/index.js';

type Peer = Pick<HttpResponse, 'getRemoteAddressAsText'>;
type Headers = Pick<HttpRequest, 'forEach'>;

const decoder = new TextDecoder();

/**
 * All values of a header in order, joined by commas. The listener's own look-up returns only the first. When a proxy
 * appends a second header, the first is the client's own and may be empty.
 */
const everyValue = (request: Headers, wanted: string): string => {
  const values: string[] = [];
  request.forEach((name, value) => {
    if (name === wanted) values.push(value);
  });
  return values.join(',');
};

/** Reads the client's address of a request. Call it while the request's handler runs: afterwards request and address are gone. */
export type ReadClientAddress = (response: Peer, request: Headers) => ClientAddress;

/**
 * Determines the client's address for all of the front, both upgrades and passed-through requests. With `AUTH_MODE=uid`
 * no proxy is trusted, and requests that passed one are refused. All clients on the loopback interface then belong to
 * one operator, so no limit by address applies.
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
