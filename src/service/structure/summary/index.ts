/** Makes the title, overview, category and events of a conversation without a language model. */
export { conversationCategories } from './categories.js';
export { builtInDailySummary } from './daily.js';
export { extractiveExtractor } from './extractive.js';
export { relevanceOf } from './relevance.js';
