/** Addresses of the engine for clients on this machine, the default address, and links to the console. */
export { engineAddresses } from './addresses.js';
export { consoleAddress, consoleInvitation, openInBrowser } from './console-address.js';
export { socketAddress } from './socket-address.js';
