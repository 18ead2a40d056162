export {
  type Found,
  type Search,
  type SearchOptions,
  type SearchRequest,
  type SearchResult,
  startSearch,
} from './search.js';
