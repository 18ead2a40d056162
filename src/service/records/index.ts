/** Rules of a user's records: tasks, memories, goals, folders, people, posts, chat messages, profile, settings, usage. */
export {
  createActionItemOnce,
  createActionItems,
  deleteActionItem,
  getActionItem,
  listActionItems,
  listActionItemsInParts,
  searchActionItems,
  summarisedItem,
  updateActionItem,
} from './action-items.js';
export {
  createFolder,
  deleteFolder,
  folderColor,
  getFolder,
  listFolders,
  openFolders,
  reorderFolders,
  updateFolder,
} from './folders.js';
export { type FoundActionItem, replaceFoundActionItems } from './found-action-items.js';
export {
  type FoundMemory,
  type MeaningSearch,
  type NearMemory,
  nearMemories,
  replaceFoundMemories,
  sameMemories,
  sameMemory,
} from './found-memories.js';
export {
  advanceGoal,
  createGoal,
  deleteGoal,
  type GoalAdvance,
  getGoal,
  goalHistory,
  listGoals,
  listGoalsInParts,
  updateGoal,
  updateGoalProgress,
} from './goals.js';
export {
  createMemories,
  deleteMemory,
  getMemory,
  listMemories,
  memoryCapacity,
  memoryCreation,
  searchMemories,
  updateMemory,
} from './memories.js';
export { selectMemories } from './memory-selection.js';
export {
  chatMessages,
  dailySummaries,
  posts,
  screenActivity,
  searchPosts,
} from './own-records.js';
export {
  createPerson,
  deletePerson,
  deletePersonVoice,
  getPerson,
  listPeople,
  updatePerson,
} from './people.js';
export { deleteProfile, findProfile, getProfile, putProfile } from './profiles.js';
export { valuesOf } from './record-values.js';
export { screenTime } from './screen-time.js';
export { type RecordQuery, recordBounds } from './timed-records.js';
export { speechIn, usageBounds, usageOf } from './usage.js';
export {
  getUserSettings,
  timeZoneNamed,
  timeZoneOf,
  updateUserSettings,
} from './user-settings.js';
