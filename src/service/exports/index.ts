/** Exports of a user: one conversation as a file, or all records as lines of JSON. */
export { type ExportedFile, exportConversation } from './export-conversation.js';
export { exportEverything } from './export-everything.js';
