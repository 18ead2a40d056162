/** Messages of the tool protocol, and the toolbox that runs them. */
export { isReceived, messagesOf, parsed, type ReadMessage, readMessage } from './bodies.js';
export { checkRevision, headerOf } from './headers.js';
export {
  askedRevision,
  type Conversation,
  errorText,
  MessageAnswerer,
  MessageError,
  needsSession,
} from './messages.js';
export { Toolbox } from './toolbox.js';
