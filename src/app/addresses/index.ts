/** Addresses of the product on this machine. */
export { engineAddresses } from './addresses.js';
export { socketAddress } from './socket-address.js';
