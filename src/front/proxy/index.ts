/** Passes all requests except streams to the sidecar. */
export { HeldStreams } from './held-streams.js';
export { PassThrough } from './pass-through.js';
export { forwardedRequest } from './proxy-headers.js';
