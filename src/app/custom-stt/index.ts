/** Server and relay of a speech service that is one's own, and the frames they exchange with an engine. */
export { AudioLines } from './audio-lines.js';
export { ServiceRelay } from './relay.js';
export { type ServiceRule, serviceRules } from './reply.js';
export { startCustomService } from './server.js';
export { ServiceSocket } from './service-socket.js';
