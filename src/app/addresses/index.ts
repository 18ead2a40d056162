/** Addresses of the engine for clients on this machine, and the default address. */
export { engineAddresses } from './addresses.js';
export { socketAddress } from './socket-address.js';
