/** Divides the JSON of long records into parts, which are sent one after the other. */
export { conversationParts, listParts, partsBehind, segmentPieces } from './conversation-parts.js';
export { itemParts } from './item-parts.js';
export type { JsonDocument, JsonParts } from './json-parts.js';
