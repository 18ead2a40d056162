export {
  createFromSegments,
  type FromSegments,
  type GivenSegment,
  getConversation,
  listConversationsOf,
} from './conversations.js';
export { conversationCategories } from './structure/categories.js';
export { extractiveExtractor } from './structure/extractive.js';
export type { StructureExtractor } from './structure/extractor.js';
export { summarise } from './structure/summarise.js';
