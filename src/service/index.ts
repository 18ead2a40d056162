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
} from './action-items.js';
export type { AdmittedWork } from './admitted-work.js';
export { type AskParts, answerQuestion, askBounds } from './answer/answer-question.js';
export {
  assistantBounds,
  listCards,
  readWholeConversation,
  samplesOf,
  searchCards,
} from './assistant-conversations.js';
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
export { daysOf, type GivenTime, LocalDay, settledTimes, timesOf } from './days/index.js';
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
export { longestUnit } from './goal-metric.js';
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
} from './goals.js';
export { dayBounds, localDay, localTime, momentAt } from './local-time.js';
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
} from './memories.js';
export { developerMemoryCategories, type MemorySurface, toolMemoryCategories } from './memory-category.js';
export { memorySorts, readMemories, selectMemories } from './memory-selection.js';
export {
  chatMessages,
  chatSenders,
  dailySummaries,
  ownRecordBounds,
  postKinds,
  posts,
  screenActivity,
  searchPosts,
} from './own-records.js';
export type { Paged, PagedInParts, PageRequest } from './paging.js';
export type { JsonDocument, JsonParts } from './parts/index.js';
export {
  createPerson,
  deletePerson,
  deletePersonVoice,
  getPerson,
  listPeople,
  type Person,
  personBounds,
  updatePerson,
} from './people.js';
export { conversationPhotos, findPhoto, type LinkedPhoto, readPhoto } from './photos.js';
export { deleteProfile, findProfile, getProfile, profileBounds, putProfile } from './profiles.js';
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
export { reprocessConversation } from './reprocess.js';
export { screenTime } from './screen-time.js';
export { type Found, type Search, type SearchResult, startSearch } from './search/index.js';
export { type SearchPage, type SearchQuery, searchBounds } from './search-page.js';
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
} from './stored-conversations.js';
export { conversationCategories } from './structure/categories.js';
export { type BuiltInDailySummary, builtInDailySummary, type DayConversation } from './structure/daily.js';
export { extractiveExtractor } from './structure/extractive.js';
export type { StructureExtractor, Transcript } from './structure/extractor.js';
export { type StatedMemory, statedMemories } from './structure/memories.js';
export { type MeasuredGoal, type StatedProgress, statedProgress } from './structure/progress.js';
export { filedSummary, summarise } from './structure/summarise.js';
export {
  createFromSegments,
  type FromSegments,
  type GivenSegment,
  suppliedBounds,
} from './supplied-conversations.js';
export { folderMappingOf } from './system-folders.js';
export {
  createTextThread,
  type ReadJson,
  readJson,
  rulesHere,
  type TextRules,
  type TextThread,
} from './text/index.js';
export { createFromText, textAsSegment, textBounds, textSources } from './text-conversations.js';
export { type RecordQuery, recordBounds } from './timed-records.js';
export { tokenBudget } from './token-budget.js';
export { speechIn, usageBounds, usageOf } from './usage.js';
export { getUserSettings, timeZoneOf, updateUserSettings, userBounds } from './user-settings.js';
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
