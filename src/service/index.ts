export {
  createFromSegments,
  type FromSegments,
  type GivenSegment,
  getConversation,
  listConversationsOf,
} from './conversations.js';
export {
  createMemories,
  deleteMemory,
  getMemory,
  listMemories,
  type Memory,
  memoryBounds,
  updateMemory,
} from './memories.js';
export { developerMemoryCategories, type MemorySurface, toolMemoryCategories } from './memory-category.js';
export type { Paged, PageRequest } from './paging.js';
export { conversationCategories } from './structure/categories.js';
export { extractiveExtractor } from './structure/extractive.js';
export type { StructureExtractor } from './structure/extractor.js';
export { summarise } from './structure/summarise.js';
