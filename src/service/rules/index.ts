/** Rules that several services share: paging, idempotency, system folders, token budgets of users. */
export type { AdmittedWork } from './admitted-work.js';
export { type Creation, createdWith, createOnce, earlierNames } from './idempotency.js';
export { newId } from './new-id.js';
export {
  cursorsOf,
  type Paged,
  type PagedInParts,
  type PageRequest,
  plainText,
  time,
  uuid,
} from './paging.js';
export { invalid, type LockedRecord, optionalText, present, requiredText, requireSome } from './rules.js';
export { type SearchPage, type SearchQuery, searchBounds, searchPage } from './search-page.js';
export { filedSummary, keptSummary, type Summariser, summarise } from './summarise.js';
export { folderMappingOf, systemFolders } from './system-folders.js';
export { tokenBudget } from './token-budget.js';
