/** Opens the bus of a fleet, which runs over NATS. Without `NATS_URL` no NATS code is loaded. */
export { openBus } from './open-bus.js';
