/**
 * The bus over NATS, its check for "cochlea doctor", and functions that make credentials. Loaded only if `NATS_URL` is
 * set.
 */
export { checkBus } from './check-bus.js';
export { makeSeed, publicKeyOf } from './keys.js';
export { openNatsBus } from './nats-bus.js';
