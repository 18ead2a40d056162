/** Answers in parts: JSON of long records, piece by piece. */
export { conversationParts, listParts } from './conversation-parts.js';
export { itemParts } from './item-parts.js';
export type { JsonDocument, JsonParts } from './json-parts.js';
