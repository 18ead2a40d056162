/** Addresses at which the commands of this machine reach the engine, and their default. */
export { engineAddresses } from './addresses.js';
export { socketAddress } from './socket-address.js';
