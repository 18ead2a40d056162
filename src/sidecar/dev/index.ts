/** Routes for developer keys: conversations, memories, tasks, goals, search. */
export { actionItemRoutes } from './action-items.js';
export { askRoutes } from './ask.js';
export { conversationAnswer } from './conversation-answer.js';
export { conversationRoutes } from './conversations.js';
export { createConversationRoutes } from './create-conversations.js';
export { folderRoutes } from './folders.js';
export { goalRoutes } from './goals.js';
export { memoryRoutes } from './memories.js';
export { searchRoutes } from './search.js';
