/** Searches a user's records by words and by meaning. */
export { dot, relevanceOf } from './rank.js';
export { type Search, type SearchResult, startSearch } from './search.js';
