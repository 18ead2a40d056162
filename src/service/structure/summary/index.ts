/** Makes title, overview, category and events without a model. */
export { conversationCategories } from './categories.js';
export { builtInDailySummary } from './daily.js';
export { extractiveExtractor } from './extractive.js';
export { relevanceOf } from './relevance.js';
