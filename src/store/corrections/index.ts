/** Statements for the corrections of users: changes of texts and speakers, and splits and merges of conversations. */
export { lockChanged, type Since, sinceChange } from './change-state.js';
export { charactersOf, correctText, type LockedSegment, lockSegment } from './corrected-segments.js';
export {
  type DividedConversation,
  dividedConversation,
  endMoved,
  foundIn,
  insertPart,
  keepMarks,
  moveFound,
  movePhotos,
  moveUsage,
  placeConversation,
} from './divided-conversations.js';
export {
  type CountedSpeaker,
  type MovedSegment,
  type MovedSpeaker,
  mostSpeakers,
  moveSegments,
  placeSegments,
  type SegmentPlace,
  segmentPlaces,
  speakersOf,
} from './moved-segments.js';
export {
  countOfSpeaker,
  type NamedBefore,
  nameSpeaker,
  restoreSpeakers,
  type SpeakerOf,
  silentPeople,
} from './named-speakers.js';
export {
  restoreBelongings,
  restoreConversations,
  restoreSegments,
  searchAgain,
} from './restored-changes.js';
export { isReadable, type ShownSegment, segmentPage, segmentsById } from './segment-pages.js';
export {
  forgetChange,
  lockChange,
  type NewChange,
  noteAfter,
  noteBefore,
  sweepUndoableChanges,
  type UndoableChange,
} from './undoable-changes.js';
