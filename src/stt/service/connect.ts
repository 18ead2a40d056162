import type { TranscriptionClient } from '../shared/index.js';
import { ServiceClient, type ServiceClientOptions } from './socket-client.js';

/**
 * Connects to the service with the socket at a path. Requests may be made at once and wait for the service, at most
 * half a minute. After that they are answered as `config_error` until the service is available.
 */
export const connectTranscription = (options: ServiceClientOptions): TranscriptionClient =>
  new ServiceClient(options);
