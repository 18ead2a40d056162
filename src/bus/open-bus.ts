import type { Settings } from '../config/index.js';
import type { Logger } from '../log/index.js';
import type { Bus, BusIdentity } from './subjects/index.js';

/**
 * Connects to the servers of `NATS_URL`. If no server answers, attempts continue in the background without end.
 * @returns null without `NATS_URL`; in this case, no NATS code is loaded.
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
