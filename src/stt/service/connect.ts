import type { TranscriptionClient } from '../shared/index.js';
import { ServiceClient, type ServiceClientOptions } from './socket-client.js';

/**
 * Connects to the service whose socket is at a path. Requests may be made at once. They wait for the service for at
 * most half a minute. After that they get the result `upstream_error`, rejected as `away`, until the service answers.
 */
export const connectTranscription = (options: ServiceClientOptions): TranscriptionClient =>
  new ServiceClient(options);
