/** Messages of MCP, the protocol of assistants, and the code that runs a called tool. */
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
