/** Rows of a user's records: tasks, memories, goals, folders, people, posts, settings, usage. */
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
export { type ChatMessageRow, chatMessageRows, chatSenders } from './chat-messages.js';
export {
  conversationsOfDay,
  type DailySummaryRow,
  type DayConversation,
  dailySummaryRows,
  storeDaySummary,
} from './daily-summaries.js';
export {
  assignFolder,
  type CountedFolderRow,
  changeFolder,
  ensureSystemFolders,
  type FolderRow,
  foldersById,
  insertFolder,
  listFolderRows,
  lockFolder,
  lockFolders,
  orderFolders,
  removeFolder,
  type SystemFolder,
} from './folders.js';
export {
  changeGoal,
  type GoalRow,
  type GoalValues,
  goalsById,
  insertGoal,
  listGoalRows,
  lockGoal,
  lockGoals,
  type NewGoalRow,
  pauseOldestGoals,
  progressSince,
  readGoal,
  recordProgress,
  removeGoal,
} from './goals.js';
export {
  findIdempotencyKey,
  recordCreated,
  sweepIdempotencyKeys,
  takeIdempotencyKey,
} from './idempotency.js';
export {
  changeMemory,
  type FoundMemoryRow,
  insertMemories,
  linkMemories,
  listMemoryRows,
  lockMemoriesOfConversation,
  lockMemory,
  type MemoryRow,
  type MemorySort,
  type MemoryVisibility,
  memoriesById,
  memoriesOfConversation,
  memorySorts,
  memoryWriting,
  newestMemories,
  removeMemories,
  removeMemory,
  rewordMemory,
  selectMemoryRows,
  supersedeMemories,
} from './memories.js';
export {
  insertPerson,
  listPersonRows,
  lockPeople,
  type PersonRow,
  peopleById,
  type ResolvedPerson,
  removePerson,
  renamePerson,
  resolvePerson,
} from './people.js';
export { type PostRow, postKinds, postRows } from './posts.js';
export { type ProfileRow, readProfile, removeProfile, writeProfile } from './profiles.js';
export { type ScreenActivityRow, screenActivityRows, screenTimeByApp } from './screen-activity.js';
export type { TimedFilter, TimedRow, TimedRows } from './timed-rows.js';
export { UncountedCapacity } from './uncounted-capacity.js';
export { countedDays, type Period, recordSpeech, type SpeechUsage, speechOf } from './usage.js';
export { changeUserSettings, readUserSettings, type UserSettingsRow } from './user-settings.js';
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
