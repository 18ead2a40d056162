/** Summarises a finished conversation, by built-in rules or with a language model. */
export { followingOf } from './following.js';
export { processConversation } from './process.js';
export { structureByModel } from './structure-by-model.js';
