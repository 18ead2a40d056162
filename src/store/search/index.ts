/** Statements of the search by words. */

export {
  type PendingText,
  pendingTexts,
  pendingTextsOf,
  type SearchedKind,
  type Standpoint,
  storedVectors,
  storeVectors,
  type VectorRow,
  vectorsBefore,
  vectorsSince,
} from './search.js';
export { indexLateTexts } from './search-late.js';
export { indexOlderConversations } from './search-older.js';
export { matchWords, type WordMatch } from './search-words.js';
