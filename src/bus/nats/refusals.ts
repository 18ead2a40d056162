import { errors } from '@nats-io/transport-node';
import { type Settings, settings as table } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { type BusIdentity, inboxOf } from '../subjects/index.js';
import { credentialsSetting } from './options.js';

/**
 * Codes and messages of a TLS connection that failed because the server has a wrong certificate or no TLS. A server
 * that is unavailable causes different errors.
 */
const refusedTls = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_|HOSTNAME_)/;
const withoutTls = /does not support 'tls'|'tls' is not available|certificate|doesn't exist/;

const chainOf = (thrown: unknown): unknown[] => {
  const chain: unknown[] = [];
  for (let at = thrown; at instanceof Error && chain.length < 8; at = at.cause) chain.push(at);
  return chain;
};

/**
 * Checks whether an error is permanent, so that a further attempt would fail, too: wrong credentials, a wrong
 * certificate, no TLS.
 */
export const isRefusal = (thrown: unknown): boolean =>
  chainOf(thrown).some(
    (error) =>
      error instanceof errors.AuthorizationError ||
      error instanceof errors.UserAuthenticationExpiredError ||
      refusedTls.test(String((error as { code?: unknown }).code ?? '')) ||
      withoutTls.test((error as Error).message),
  );

/**
 * Checks whether a server refused a process the use of its own inbox or its own event subjects. The right credentials
 * permit both. So a refusal means that the credentials belong to a different name or role.
 */
const isOfOthers = (thrown: unknown, { role, name }: BusIdentity): boolean =>
  chainOf(thrown).some(
    (error) =>
      error instanceof errors.PermissionViolationError &&
      [`${inboxOf(role, name)}.`, `cochlea.${role}.${name}.`].some((own) => error.subject.startsWith(own)),
  );

/**
 * Returns the error to report if `thrown` means that the credentials belong to a different name or role; null if
 * `thrown` has a different cause.
 */
export const foreignCredentials = (
  settings: Settings,
  identity: BusIdentity,
  thrown: unknown,
): CochleaError | null => {
  if (!isOfOthers(thrown, identity)) return null;
  const details = {
    servers: settings.natsUrl,
    why: `the credentials belong to another NATS_NAME or role (${reasonOf(chainOf(thrown).at(-1))})`,
    settings: `NATS_NAME or ${table[credentialsSetting[identity.role]].env}`,
  };
  return new CochleaError('bus_refused', details, { cause: thrown });
};

/** Returns the error for a connection that failed at its start. */
export const connectionError = (settings: Settings, identity: BusIdentity, thrown: unknown): CochleaError => {
  const foreign = foreignCredentials(settings, identity, thrown);
  if (foreign !== null) return foreign;
  const details = { servers: settings.natsUrl, why: reasonOf(chainOf(thrown).at(-1) ?? thrown) };
  if (!isRefusal(thrown)) return new CochleaError('bus_unreachable', details, { cause: thrown });
  const wrong = 'NATS_URL, NATS_CA, NATS_NAME and the credentials';
  return new CochleaError('bus_refused', { ...details, settings: wrong }, { cause: thrown });
};
