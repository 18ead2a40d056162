import type { TranscriptionClient } from '../shared/index.js';
import { ServiceClient, type ServiceClientOptions } from './socket-client.js';

/**
 * Connects to the service whose socket is at a path. Requests may be made at once: they wait for the service, for half a minute; then
 * they are answered as `config_error` until it is there.
 */
export const connectTranscription = (options: ServiceClientOptions): TranscriptionClient =>
  new ServiceClient(options);
