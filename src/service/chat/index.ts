export { chatBounds } from './chat-bounds.js';
export { apology, type ChatMessage, type ChatParts, storeMessage } from './message.js';
