export { type AskParts, answerQuestion, askBounds } from './answer/answer-question.js';
export {
  apology,
  type ChatMessage,
  type ChatParts,
  chatBounds,
  type Repeatable,
  RepeatedRequests,
  sentBefore,
  storeMessage,
} from './chat/index.js';
export {
  assistantBounds,
  listCards,
  readWholeConversation,
  samplesOf,
  searchCards,
} from './conversations/assistant-conversations.js';
export { conversationPhotos, findPhoto, type LinkedPhoto, readPhoto } from './conversations/photos.js';
export { reprocessConversation } from './conversations/reprocess.js';
export {
  type ConversationPage,
  type ConversationQuery,
  conversationBounds,
  conversationsWork,
  conversationWork,
  deleteConversation,
  getConversation,
  listConversationsOf,
  searchConversations,
  updateConversation,
} from './conversations/stored-conversations.js';
export {
  createFromSegments,
  type FromSegments,
  type GivenSegment,
  suppliedBounds,
} from './conversations/supplied-conversations.js';
export {
  createFromText,
  textAsSegment,
  textBounds,
  textSources,
} from './conversations/text-conversations.js';
export { daysOf, type GivenTime, LocalDay, settledTimes, timesOf } from './days/index.js';
export type { JsonDocument, JsonParts } from './parts/index.js';
export {
  checkUploadTarget,
  type IncompleteFile,
  openRecordingFiles,
  queueUpload,
  type ReceivedUpload,
  type RecordingFiles,
  type RecordingStore,
  UploadReceiver,
  UploadsUnderWay,
  uploadProgress,
} from './recordings/index.js';
export {
  type ActionItem,
  actionItemBounds,
  createActionItemOnce,
  createActionItems,
  deleteActionItem,
  getActionItem,
  listActionItems,
  listActionItemsInParts,
  searchActionItems,
  updateActionItem,
} from './records/action-items.js';
export {
  createFolder,
  deleteFolder,
  type Folder,
  folderBounds,
  folderColor,
  getFolder,
  listFolders,
  openFolders,
  reorderFolders,
  updateFolder,
} from './records/folders.js';
export { type FoundActionItem, replaceFoundActionItems } from './records/found-action-items.js';
export {
  type FoundMemory,
  type MeaningSearch,
  type NearMemory,
  nearMemories,
  replaceFoundMemories,
  sameMemories,
  sameMemory,
} from './records/found-memories.js';
export { longestUnit } from './records/goal-metric.js';
export {
  advanceGoal,
  createGoal,
  deleteGoal,
  type Goal,
  type GoalAdvance,
  getGoal,
  goalBounds,
  goalHistory,
  listGoals,
  listGoalsInParts,
  updateGoal,
  updateGoalProgress,
} from './records/goals.js';
export {
  createMemories,
  deleteMemory,
  getMemory,
  listMemories,
  type Memory,
  memoryBounds,
  memoryCapacity,
  memoryCreation,
  searchMemories,
  updateMemory,
} from './records/memories.js';
export {
  developerMemoryCategories,
  type MemorySurface,
  toolMemoryCategories,
} from './records/memory-category.js';
export { memorySorts, readMemories, selectMemories } from './records/memory-selection.js';
export {
  chatMessages,
  chatSenders,
  dailySummaries,
  ownRecordBounds,
  postKinds,
  posts,
  screenActivity,
  searchPosts,
} from './records/own-records.js';
export {
  createPerson,
  deletePerson,
  deletePersonVoice,
  getPerson,
  listPeople,
  type Person,
  personBounds,
  updatePerson,
} from './records/people.js';
export { deleteProfile, findProfile, getProfile, profileBounds, putProfile } from './records/profiles.js';
export { screenTime } from './records/screen-time.js';
export { type RecordQuery, recordBounds } from './records/timed-records.js';
export { speechIn, usageBounds, usageOf } from './records/usage.js';
export { getUserSettings, timeZoneOf, updateUserSettings, userBounds } from './records/user-settings.js';
export type { AdmittedWork } from './rules/admitted-work.js';
export { dayBounds, localDay, localTime, momentAt } from './rules/local-time.js';
export type { Paged, PagedInParts, PageRequest } from './rules/paging.js';
export { type SearchPage, type SearchQuery, searchBounds } from './rules/search-page.js';
export { folderMappingOf } from './rules/system-folders.js';
export { tokenBudget } from './rules/token-budget.js';
export { type Found, type Search, type SearchResult, startSearch } from './search/index.js';
export type { StructureExtractor, Transcript } from './structure/language/extractor.js';
export { type StatedMemory, statedMemories } from './structure/statements/memories.js';
export { type MeasuredGoal, type StatedProgress, statedProgress } from './structure/statements/progress.js';
export { conversationCategories } from './structure/summary/categories.js';
export {
  type BuiltInDailySummary,
  builtInDailySummary,
  type DayConversation,
} from './structure/summary/daily.js';
export { extractiveExtractor } from './structure/summary/extractive.js';
export { filedSummary, summarise } from './structure/summary/summarise.js';
export {
  createTextThread,
  type ReadJson,
  readJson,
  rulesHere,
  type TextRules,
  type TextThread,
} from './text/index.js';
export {
  checkVoicesAllowed,
  deleteSpeechProfile,
  type EnrolmentWork,
  enrolSpeech,
  type FramedAudio,
  findSpeechProfile,
  framedPcm,
  type SpeechProfile,
  SpentTime,
  type SpokenUtterance,
  type StagedAudio,
  type StagingOptions,
  stageFile,
  stagePcm,
  transcribeStream,
  transcribeVoice,
  VoiceFailure,
  type VoiceFailureBody,
  type VoiceRequest,
  type VoiceWork,
  voiceFailureOf,
  voiceLanguage,
} from './voice/index.js';
