/** Conversations at the console: lists, search, and the page of one, where its user corrects it. */
export { addressOf, type Wanted, wantedOf } from './address.js';
export { BatchBar } from './batch-bar.js';
export { ConversationDetail } from './detail.js';
export { FilterForm, isNarrow, isReversed } from './filter-form.js';
export { ConversationList, NoConversation, type Selection } from './list.js';
export { LiveList, useLive } from './live-list.js';
export {
  type ConversationPart,
  type Filter,
  readConversation,
  readConversations,
  readFolders,
  readPeople,
  searchConversations,
} from './records.js';
