/** The part of the engine that faces clients: listener, streams, passed-through requests, heartbeat and readiness. */
export { type Front, startFront } from './front.js';
export { type Listener, openListener } from './open-listener.js';
