/** The interface of both WebSocket listeners, and functions that answer requests through it. */
export { BodyPace, type PacedBody } from './body-pace.js';
export { descriptorsForClients, nextDescriptor, openDescriptors } from './descriptors.js';
export {
  type AcceptUpgrade,
  bufferOf,
  type Handshake,
  type HttpRequest,
  type HttpResponse,
  type ListenerApp,
  type ListenerSocket,
  type MessageBytes,
  maxBackpressure,
  type RequestHandler,
  type ResponseBytes,
  type SocketData,
  type SocketOwner,
  type StreamRoute,
  viewOf,
} from './listener.js';
export { answerError, answerJson, answerServerOptions, refuseRequest, statusLine } from './responses.js';
