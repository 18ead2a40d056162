import type { Settings } from '../../config/index.js';
import { type ClientAddress, ClientAddresses } from '../../identity/index.js';
import type { HttpRequest, HttpResponse } from '../listener/index.js';

type Peer = Pick<HttpResponse, 'getRemoteAddressAsText'>;
type Headers = Pick<HttpRequest, 'forEach'>;

const decoder = new TextDecoder();

/**
 * All values of a header in their order, joined by commas; the listener's own look-up returns the first alone, which is
 * the client's own, and may be empty, where a proxy appends a header of its own instead of a value.
 */
const everyValue = (request: Headers, wanted: string): string => {
  const values: string[] = [];
  request.forEach((name, value) => {
    if (name === wanted) values.push(value);
  });
  return values.join(',');
};

/** Reads the client's address of a request while its handler runs: afterwards request and address are gone. */
export type ReadClientAddress = (response: Peer, request: Headers) => ClientAddress;

/**
 * The one notion of a client's address in the front, for upgrades and for what is passed through. With `AUTH_MODE=uid`
 * no proxy is trusted (requests that passed one are refused there) and everything on the loopback interface is one
 * operator's, so that no limit by address applies.
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
