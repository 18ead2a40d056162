/** Merges conversations that two devices of one user recorded at the same time. */
export { mergeConversations } from './merge-conversations.js';
