/** Answers in parts: JSON of long records, one piece at a time. */
export { conversationParts, listParts } from './conversation-parts.js';
export { itemParts } from './item-parts.js';
export type { JsonDocument, JsonParts } from './json-parts.js';
