/** Statements for a user's records: tasks, memories, goals, folders, people, posts, settings, usage. */
export {
  type ActionItemChanges,
  type ActionItemRow,
  actionItemRows,
  insertActionItems,
  listActionItemRows,
  lockRetriedItem,
  markFoundActionItems,
  removeFoundActionItems,
  setRetryKey,
} from './action-items.js';
export {
  conversationsOfDay,
  type DayConversation,
  storeDaySummary,
} from './daily-summaries.js';
export {
  assignFolder,
  ensureSystemFolders,
  type FolderRow,
  folderRows,
  holdFolder,
  insertFolder,
  listFolderRows,
  lockFolders,
  orderFolders,
  removeFolder,
  type SystemFolder,
} from './folders.js';
export {
  type GoalRow,
  goalRows,
  insertGoal,
  listGoalRows,
  lockGoals,
  type NewGoalRow,
  pauseOldestGoals,
  progressSince,
  recordProgress,
  removeGoal,
} from './goals.js';
export {
  findIdempotencyKey,
  recordCreated,
  sweepIdempotencyKeys,
  takeIdempotencyKey,
} from './idempotency.js';
export { readUserKeywords, readUsersKeywords } from './keywords.js';
export {
  type FoundMemoryRow,
  insertMemories,
  linkMemories,
  listMemoryRows,
  lockMemoriesOfConversation,
  type MemoryRow,
  type MemorySort,
  memoriesOfConversation,
  memoryRows,
  memorySorts,
  memoryWriting,
  newestMemories,
  removeMemories,
  rewordMemory,
  selectMemoryRows,
  supersedeMemories,
} from './memories.js';
export {
  insertPerson,
  listPersonRows,
  lockPeople,
  type PersonRow,
  personNamed,
  personRows,
  type ResolvedPerson,
  removePerson,
  removeUnusedPerson,
  resolvePerson,
} from './people.js';
export { type ProfileRow, readProfile, removeProfile, writeProfile } from './profiles.js';
export { screenTimeByApp } from './screen-activity.js';
export { type TimedFilter, type TimedRecord, type TimedRow, timedRows } from './timed-rows.js';
export { UncountedCapacity } from './uncounted-capacity.js';
export { countedDays, type Period, recordSpeech, type SpeechUsage, speechOf } from './usage.js';
export {
  changeUserSettings,
  readUserSettings,
  readUsersSettings,
  type UserSettingsRow,
} from './user-settings.js';
export {
  type KnownVoices,
  type LearnedVoice,
  learnVoice,
  type OwnerVoiceRow,
  readKnownVoices,
  readOwnerVoice,
  removeOwnerVoice,
  removePersonVoices,
  unlearnVoice,
  type VoicePrint,
  writeOwnerVoice,
} from './voice-profiles.js';
