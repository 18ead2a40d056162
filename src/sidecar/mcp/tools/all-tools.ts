import type { RouteContext } from '../../frame/index.js';
import type { Tool } from '../toolkit/index.js';
import { actionItemTools } from './action-items.js';
import { connectorTools } from './connector.js';
import { conversationTools } from './conversations.js';
import { memoryTools } from './memories.js';
import { ownRecordTools } from './own-records.js';
import { userTools } from './user.js';

/** Every tool, in listing order. */
export const allTools = (context: RouteContext): readonly Tool[] => [
  ...userTools(context),
  ...memoryTools(context),
  ...conversationTools(context),
  ...actionItemTools(context),
  ...ownRecordTools(context),
  ...connectorTools(context),
];
