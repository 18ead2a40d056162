/** Rules of corrections that users make to completed conversations. */
export { type ChangedSegment, changeSegment, correctionBounds, listSegments } from './corrected-text.js';
export { type FoundMemory, listFoundMemories } from './found-records.js';
export {
  type CommonChange,
  type CommonResult,
  changeConversations,
  manyBounds,
} from './many-conversations.js';
export { mergeBounds, mergeConversationsOf } from './merge-conversations.js';
export {
  type GivenPerson,
  type NamedResult,
  type NamedSpeaker,
  namedBounds,
  nameSpeakerOf,
  type UndoGroup,
  type UndoneNaming,
  undoNaming,
} from './named-speakers.js';
export { splitConversation } from './split-conversation.js';
export { type DividedResult, type UndoneChange, undoChange } from './undo-change.js';
