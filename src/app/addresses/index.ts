export { engineAddresses } from './addresses.js';
