/** The tools, one file a group. */
export { actionItemTools } from './action-items.js';
export { connectorTools } from './connector.js';
export { conversationTools } from './conversations.js';
export { memoryTools } from './memories.js';
export { ownRecordTools } from './own-records.js';
export { userTools } from './user.js';
