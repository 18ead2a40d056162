/** Declares tools: arguments, answers and shortening. */
export {
  actionItem,
  conversationCard,
  daySummary,
  memory,
  message,
  moment,
  notice,
  noticeField,
  post,
  relevance,
  screenActivityRow,
  snippet,
  success,
  wholeConversation,
} from './answers.js';
export {
  argumentsOf,
  choice,
  choices,
  flag,
  flagOr,
  fromDay,
  fromTime,
  id,
  limit,
  offset,
  optionalText,
  query,
  since,
  text,
  toDay,
  toTime,
} from './arguments.js';
export { recordArguments } from './record-arguments.js';
export { shortened } from './shortened.js';
export {
  allows,
  alsoOpens,
  listed,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolGroup,
  tool,
} from './tool.js';
