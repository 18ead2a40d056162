/** Exports a conversation or everything, and saves it as a file. Everything continues after a lost connection. */
export { ExportConversation } from './export-conversation.js';
export { ExportEverything } from './export-everything.js';
