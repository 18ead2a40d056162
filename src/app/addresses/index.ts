/** Addresses at which the product answers on this machine. */
export { engineAddresses } from './addresses.js';
