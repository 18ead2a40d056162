/** Server and relay for custom speech services, and the messages that they exchange with an engine. */
export { AudioLines } from './audio-lines.js';
export { ServiceRelay } from './relay.js';
export { type ServiceRule, serviceRules } from './reply.js';
export { startCustomService } from './server.js';
export { ServiceSocket } from './service-socket.js';
