/** Arguments and options of the commands, and how a command gets its session. */
export { type Acting, actingWith } from './acting.js';
export {
  anyNumber,
  type CreateOptions,
  collected,
  dateArgument,
  type ListOptions,
  recordId,
  sinceArgument,
  wholeNumber,
  withCreateOptions,
  withListOptions,
  withYes,
} from './arguments.js';
export type {
  ActionItemChange,
  ActionItemListOptions,
  AskOptions,
  ChatOptions,
  ConversationChange,
  ConversationListOptions,
  GoalFields,
  GoalListOptions,
  LoginOptions,
  MemoryChange,
  MemoryListOptions,
  NewActionItem,
  NewGoal,
  NewMemory,
  SegmentsOptions,
  SummaryListOptions,
  TextOptions,
} from './options.js';
