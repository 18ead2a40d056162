import type { Settings } from '../config/index.js';
import type { Logger } from '../log/index.js';
import type { Bus, BusIdentity } from './subjects/index.js';

/**
 * Connects to the servers of `NATS_URL`. If no server answers, it continues in the background for ever.
 * @returns null without `NATS_URL`. No NATS code is loaded then.
 * @throws CochleaError `bus_refused` if a server refuses the credentials, if they belong to another name or role, or if
 *   its TLS certificate is not accepted; `setting_invalid` if the credentials of this role are missing or readable by
 *   every user.
 */
export const openBus = async (
  settings: Settings,
  identity: BusIdentity,
  log: Logger,
): Promise<Bus | null> => {
  if (settings.natsUrl === '') return null;
  const { openNatsBus } = await import('./nats/nats-bus.js');
  return openNatsBus(settings, identity, log);
};
