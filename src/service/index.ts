export {
  type ConversationQuery,
  type CreatedConversation,
  createFromSegments,
  type FromSegments,
  type GivenSegment,
  getConversation,
  listConversationsOf,
} from './conversations.js';
export { conversationCategories } from './structure/categories.js';
export { extractiveExtractor } from './structure/extractive.js';
export type { StructureExtractor, Transcript } from './structure/extractor.js';
export { summarise } from './structure/summarise.js';
