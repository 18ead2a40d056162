/** Statements for conversations and their lists, late words, photos, recordings and retained audio. */
export {
  type ConversationCardRow,
  cardsById,
  readWhole,
  type SpokenRow,
  samplesOfPeople,
  segmentsWith,
  selectCards,
  spokenIn,
} from './assistant-conversations.js';
export type { Summary } from './completion.js';
export { type ConversationContent, readContent, suppliedTexts } from './content.js';
export {
  changeConversation,
  conversationOwner,
  conversationState,
  lastCompletedConversations,
  lockConversation,
  readAnnounced,
  readConversation,
  removeConversation,
  replaceStructuredItems,
  settledConversations,
} from './conversations.js';
export {
  type ConversationDocument,
  type ConversationFilter,
  conversationDocumentsById,
  conversationListing,
  conversationReading,
  type ListedDocument,
  listConversationDocuments,
  listedConversations,
  readConversationDocument,
} from './documents.js';
export { type ExportedDocument, exportedDocuments } from './exported-documents.js';
export {
  type AfterSummary,
  type ClaimedConversation,
  claimFinished,
  completeFinished,
  deleteEmpty,
  failFinished,
  replaceSummary,
} from './finished-conversations.js';
export { storeTranslations } from './late-translations.js';
export {
  changeFinished,
  type FoundConversation,
  findLateTarget,
  foundColumns,
  type LatePlace,
  type LateTarget,
  lockLateWords,
  mergeLateWords,
  storedSegments,
  transcriptCorrected,
} from './late-words.js';
export { type LiveConversationRow, liveConversationsOf } from './live-conversations.js';
export {
  type DuePhoto,
  describedPhotos,
  leavePhotosUndescribed,
  type PhotoDescription,
  postponePhoto,
  storeDescription,
  takeDuePhoto,
} from './photo-descriptions.js';
export {
  adoptPhotos,
  type NewPhoto,
  type PhotoBounds,
  type PhotoFile,
  type PhotoRow,
  type PhotoStored,
  photoFile,
  photoRemovals,
  photosOf,
  photosRemoved,
  storePhoto,
  unknownPhotos,
} from './photos.js';
export {
  adoptRecordings,
  type ClaimedRecording,
  claimRecording,
  endRecordings,
  endTranscription,
  extendClaim,
  giveUpRecording,
  hasConversation,
  neededFiles,
  postponeRecording,
  postponeTranscribed,
  type RecordedWords,
  type RecordingProgress,
  readUpload,
  recordingSpace,
  sweepRecordings,
  type TranscribedRecording,
  takeTranscribed,
} from './recordings.js';
export {
  beginRetained,
  dropRetained,
  dropWaiting,
  endRetained,
  extendRetained,
  forgetRetained,
  noteRetained,
  postponeRetained,
  type RetainedDetails,
  retainedDetails,
  takeDueRetained,
} from './retained-audio.js';
export {
  type ExistingConversation,
  findGiven,
  type GivenConversation,
  storeGiven,
} from './supplied-conversations.js';
