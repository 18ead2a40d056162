/** Summarises a finished conversation by rules or a model. */
export { followingOf } from './following.js';
export { processConversation } from './process.js';
export { structureByModel } from './structure-by-model.js';
