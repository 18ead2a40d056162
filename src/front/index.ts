/** Composes the front: listener choice, heartbeat, readiness. */
export { type Front, startFront } from './front.js';
export { type Listener, openListener } from './open-listener.js';
