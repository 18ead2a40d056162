/** Conversations at the console: lists, search, and the page of one, where its user corrects it. */
export { BatchBar } from './batch-bar.js';
export { ConversationDetail } from './detail.js';
export { FilterForm, isNarrow, noFilter } from './filter-form.js';
export { ConversationList, NoConversation, type Selection } from './list.js';
export {
  type ConversationPart,
  type Filter,
  readConversation,
  readConversations,
  readFolders,
  readLive,
  readPeople,
  searchConversations,
} from './records.js';
