import { isLoopback, type Refusal } from './exposure.js';
import { parseBusServers } from './lists/index.js';
import type { Settings } from './settings.js';

/**
 * Returns the first bus setting that would expose events or accept any client; undefined if there is none. A bus on
 * another machine requires TLS and credentials. Credentials require the name for which they were made.
 * `MIN_DURABILITY=stream` requires the bus and `SPILL_KEY`.
 */
export const busExposureOf = (values: Settings): Refusal | undefined => {
  const { natsUrl, natsName, natsEngineCredentials, natsSidecarCredentials } = values;
  const far = parseBusServers(natsUrl).find(({ hostname }) => !isLoopback(hostname));
  const anyone = natsEngineCredentials === '' && natsSidecarCredentials === '';
  if (far !== undefined && !far.tls) {
    const why = `${far.hostname} is beyond loopback, and events would cross the network in plain text; write tls://`;
    return { name: 'natsUrl', why };
  }
  if (far !== undefined && anyone) {
    const why = `${far.hostname} is beyond loopback and needs credentials; "cochlea bus accounts" makes them`;
    return { name: 'natsEngineCredentials', why };
  }
  if (!anyone && natsName === '') {
    return { name: 'natsName', why: 'credentials are set, and are valid for one name only' };
  }
  if (values.minDurability === 'stream' && (natsUrl === '' || values.spillKey === '')) {
    return { name: 'minDurability', why: 'stream needs NATS_URL and SPILL_KEY' };
  }
  return undefined;
};
