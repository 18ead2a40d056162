/** Rules of conversations from streams and from texts that clients supply. */
export {
  assistantBounds,
  listCards,
  readWholeConversation,
  samplesOf,
  searchCards,
} from './assistant-conversations.js';
export { type LiveConversation, listLiveConversations } from './live-conversations.js';
export { conversationPhotos, findPhoto, readPhoto } from './photos.js';
export { reprocessConversation } from './reprocess.js';
export {
  type ConversationPage,
  type ConversationQuery,
  conversationsWork,
  conversationWork,
  deleteConversation,
  getConversation,
  listConversationsOf,
  searchConversations,
  updateConversation,
} from './stored-conversations.js';
export { createFromSegments, type FromSegments, suppliedBounds } from './supplied-conversations.js';
export { createFromText, textAsSegment, textBounds, textSources } from './text-conversations.js';
