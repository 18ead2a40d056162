import type { Configuration, CustomFetchOptions } from 'openid-client';
import { boundedFetch } from './bounded-fetch.js';

export type OpenidClient = typeof import('openid-client');

/** Another service where people sign in, with the id and secret of this product as its client. */
export interface OtherService {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret: string | undefined;
}

/** Timeout in seconds for another service's answer. */
const timeout = 10;

/**
 * Reads the metadata of another service. The signatures of ID tokens are always checked with the keys of the service,
 * even if a token comes over a TLS connection from the service.
 */
export const discoverService = (
  client: OpenidClient,
  { issuer, clientId, clientSecret }: OtherService,
): Promise<Configuration> => {
  const address = new URL(issuer);
  return client.discovery(
    address,
    clientId,
    { [client.clockTolerance]: 30 },
    clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
    {
      timeout,
      [client.customFetch]: (url: string, options: CustomFetchOptions) =>
        boundedFetch(url, options as RequestInit),
      execute: [
        client.enableNonRepudiationChecks,
        // Settings allow plain http on loopback only.
        ...(address.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
};
