export { type DeviceMerge, mergeConversations } from './merge-conversations.js';
