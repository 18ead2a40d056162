/** A server for custom speech services, a relay between a service and an engine, and their messages. */
export { AudioLines } from './audio-lines.js';
export { ServiceRelay } from './relay.js';
export { type ServiceRule, serviceRules } from './reply.js';
export { startCustomService } from './server.js';
export { ServiceSocket } from './service-socket.js';
