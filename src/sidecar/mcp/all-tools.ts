import type { RouteContext } from '../frame/context.js';
import type { Tool } from './toolkit/tool.js';
import { actionItemTools } from './tools/action-items.js';
import { connectorTools } from './tools/connector.js';
import { conversationTools } from './tools/conversations.js';
import { memoryTools } from './tools/memories.js';
import { ownRecordTools } from './tools/own-records.js';
import { userTools } from './tools/user.js';

/** Every tool, in the order in which they are listed. */
export const allTools = (context: RouteContext): readonly Tool[] => [
  ...userTools(context),
  ...memoryTools(context),
  ...conversationTools(context),
  ...actionItemTools(context),
  ...ownRecordTools(context),
  ...connectorTools(context),
];
