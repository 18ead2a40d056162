/** The commands of `cochlea-user`, their actions, and functions that several commands share. */
export { actionItemCommand } from './action-item.js';
export { askCommand } from './ask.js';
export { authCommand } from './auth.js';
export { chatCommand } from './chat.js';
export { completionCommand, manCommand } from './completion.js';
export { configCommand } from './config.js';
export { conversationCommand } from './conversation.js';
export { dailySummaryCommand } from './daily-summary.js';
export { folderCommand } from './folder.js';
export { goalCommand } from './goal.js';
export { memoryCommand } from './memory.js';
export { settingsCommand } from './settings.js';
