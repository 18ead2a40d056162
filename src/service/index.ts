export {
  type ActionItem,
  actionItemBounds,
  createActionItems,
  deleteActionItem,
  listActionItems,
  updateActionItem,
} from './action-items.js';
export {
  createFromSegments,
  type FromSegments,
  type GivenSegment,
  getConversation,
  listConversationsOf,
} from './conversations.js';
export { longestUnit } from './goal-metric.js';
export {
  createGoal,
  deleteGoal,
  type Goal,
  getGoal,
  goalBounds,
  goalHistory,
  listGoals,
  updateGoal,
  updateGoalProgress,
} from './goals.js';
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
