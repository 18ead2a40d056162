/**
 * Exports a conversation or everything of a user, and saves it as a file. The export of everything continues after a
 * lost connection.
 */
export { ExportConversation } from './export-conversation.js';
export { ExportEverything } from './export-everything.js';
