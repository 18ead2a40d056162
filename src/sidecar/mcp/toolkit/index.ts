/** Functions that declare a tool: its arguments, its answer, and how long texts are shortened. */
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
