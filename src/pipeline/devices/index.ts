export { mergeConversations } from './merge-conversations.js';
