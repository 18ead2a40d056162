import type { RouteContext } from '../frame/index.js';
import type { Tool } from './toolkit/index.js';
import {
  actionItemTools,
  connectorTools,
  conversationTools,
  memoryTools,
  ownRecordTools,
  userTools,
} from './tools/index.js';

/** Every tool, in the order in which they are listed. */
export const allTools = (context: RouteContext): readonly Tool[] => [
  ...userTools(context),
  ...memoryTools(context),
  ...conversationTools(context),
  ...actionItemTools(context),
  ...ownRecordTools(context),
  ...connectorTools(context),
];
