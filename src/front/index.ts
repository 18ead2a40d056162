/**
 * The part of the engine that clients connect to: listener, streams, requests for the sidecar, heartbeat, readiness.
 */
export { type Front, startFront } from './front.js';
export { type Listener, openListener } from './open-listener.js';
