/** Merges conversations that two devices of one user recorded at a time. */
export { mergeConversations } from './merge-conversations.js';
