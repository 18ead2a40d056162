import { errors } from '@nats-io/transport-node';
import type { Settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';

/** Messages and codes of a TLS connection that was refused because of what a server is, not because it is away. */
const refusedTls = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_|HOSTNAME_)/;
const withoutTls = /does not support 'tls'|'tls' is not available|certificate|doesn't exist/;

const chainOf = (thrown: unknown): unknown[] => {
  const chain: unknown[] = [];
  for (let at = thrown; at instanceof Error && chain.length < 8; at = at.cause) chain.push(at);
  return chain;
};

/** Checks whether an error means that trying again does not help: wrong credentials, a wrong certificate, no TLS. */
export const isRefusal = (thrown: unknown): boolean =>
  chainOf(thrown).some(
    (error) =>
      error instanceof errors.AuthorizationError ||
      error instanceof errors.UserAuthenticationExpiredError ||
      refusedTls.test(String((error as { code?: unknown }).code ?? '')) ||
      withoutTls.test((error as Error).message),
  );

/** Returns the error for a connection that failed at its start. */
export const connectionError = (settings: Settings, thrown: unknown): CochleaError => {
  const details = { servers: settings.natsUrl, why: reasonOf(chainOf(thrown).at(-1) ?? thrown) };
  return new CochleaError(isRefusal(thrown) ? 'bus_refused' : 'bus_unreachable', details, { cause: thrown });
};
