/** Chat messages and their answers. */
export { chatBounds } from './chat-bounds.js';
export { type ChatMessage, type ChatParts, type Repeatable, sentBefore, storeMessage } from './message.js';
export { RepeatedRequests } from './repeated-requests.js';
