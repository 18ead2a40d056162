/** Stores the segments of streams in the database, or in the spill on disk, and replays the spill later. */

export { type CopyCounts, CopyReplay } from './copy-replay.js';
export { makeDurableFolder, writeDurableFile } from './durable-files.js';
export { importRejected } from './import-rejected.js';
export type {
  ConversationChange,
  Durability,
  GivenPerson,
  Journal,
  KnownVoices,
  Lease,
  NewPhoto,
  PastConversation,
  PhotoBounds,
  PhotoStored,
  Replacement,
  ResumedConversation,
  SegmentQuestion,
  SpeakerName,
  SpokenTimes,
  StoredVoices,
} from './journal.js';
export { openJournal } from './open-journal.js';
export { listRejected, type RejectedEntry, readRejected, removeRejectedOf } from './rejected.js';
export { SpillFolders } from './spill-folders.js';
