/**
 * Declares the record types of a user's data: columns, bounds, and the requests and interfaces that contain each field.
 * All other code about fields is derived from these declarations.
 */
export { actionItemBounds, actionItemRecord } from './action-items.js';
export { chatMessageRecord, chatSenders } from './chat-messages.js';
export {
  conversationBounds,
  conversationRecord,
  type RecordingClock,
  recordingClocks,
} from './conversations.js';
export { dailySummaryRecord } from './daily-summaries.js';
export {
  alternatives,
  type ChangeOf,
  type ColumnType,
  type CommandLine,
  type CreationOf,
  changesOf,
  type Field,
  type Fields,
  fieldsOf,
  type InitialOf,
  isShown,
  type NewRowOf,
  type RecordDeclaration,
  type RowOf,
  type ShownOf,
  type Surface,
  type ToolFields,
  toolSentence,
  type ValueOf,
} from './declaration.js';
export { folderBounds, folderRecord } from './folders.js';
export {
  type GoalStatus,
  type GoalType,
  goalBounds,
  goalRecord,
  goalSources,
  goalStatuses,
  goalTypes,
} from './goals.js';
export {
  developerMemoryCategories,
  memoryBounds,
  memoryRecord,
  toolMemoryCategories,
} from './memories.js';
export { personBounds, personRecord, type VoiceBounds } from './people.js';
export { postKinds, postRecord } from './posts.js';
export { profileRecord } from './profiles.js';
export { screenActivityRecord } from './screen-activity.js';
export { userLanguageBounds, userSettingsRecord } from './user-settings.js';
