import { z } from 'zod';
import { clamped, commaList } from '../schemas/index.js';
import {
  actionItem,
  conversationCard,
  fromTime,
  memory,
  relevance,
  snippet,
  toTime,
} from './toolkit/index.js';

/** A REST list with the data that a tool of assistants returns. */
export interface ToolRead {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tool: string;
  readonly limit: 'mcp:read' | 'mcp:memories_read';
  /**
   * The member of the tool's answer that the route returns. If that answer has no such member, the route returns all
   * of it without the `notice`.
   */
  readonly member: string;
  /** Query parameters that differ from the tool's arguments. */
  readonly query?: z.ZodRawShape;
  readonly answer: z.ZodType;
  readonly example?: Readonly<Record<string, string>>;
  /** Members that the route adds to every element of the tool's list. */
  readonly more?: object;
}

const scored = { relevance_score: relevance };
const card = conversationCard.extend({
  apps_results: z.array(z.unknown()),
  match_snippets: z.array(snippet),
});
const categories = commaList.optional().meta({ description: 'Separated by commas.' });
/** Parameters for a period. They accept days, like the tools, and date-times, which clients of compatible servers send. */
const period = (what: string) => ({ start_date: fromTime(what), end_date: toTime(what) });
const anything = z.looseObject({ id: z.string() });
const searched = { query: 'garden' };

export const toolReads: readonly ToolRead[] = [
  {
    path: 'memories',
    operationId: 'listAssistantMemories',
    summary: 'Facts about the user',
    tool: 'get_memories',
    limit: 'mcp:memories_read',
    member: 'memories',
    query: { limit: clamped(25, 1, 500), categories },
    answer: z.array(memory),
  },
  {
    path: 'memories/search',
    operationId: 'searchAssistantMemories',
    summary: 'Facts about the user that match a query',
    tool: 'search_memories',
    limit: 'mcp:memories_read',
    member: 'memories',
    answer: z.array(memory.extend(scored)),
    example: searched,
  },
  {
    path: 'conversations',
    operationId: 'listAssistantConversations',
    summary: 'Conversations without transcripts, newest first',
    tool: 'get_conversations',
    limit: 'mcp:read',
    member: 'conversations',
    query: { limit: clamped(100, 1, 1000), categories, ...period('Conversations') },
    answer: z.array(card),
    more: { apps_results: [], match_snippets: [] },
  },
  {
    path: 'conversations/search',
    operationId: 'searchAssistantConversations',
    summary: 'Conversations that match a query',
    tool: 'search_conversations',
    limit: 'mcp:read',
    member: 'conversations',
    query: period('Conversations'),
    answer: z.array(card.extend(scored)),
    example: searched,
    more: { apps_results: [] },
  },
  {
    path: 'action-items',
    operationId: 'listAssistantActionItems',
    summary: 'Tasks: open ones first, then by due date',
    tool: 'get_action_items',
    limit: 'mcp:read',
    member: 'action_items',
    query: { due_start_date: fromTime('Tasks that are due'), due_end_date: toTime('Tasks that are due') },
    answer: z.array(actionItem),
  },
  {
    path: 'action-items/search',
    operationId: 'searchAssistantActionItems',
    summary: 'Tasks that match a query',
    tool: 'search_action_items',
    limit: 'mcp:read',
    member: 'action_items',
    answer: z.array(actionItem.extend(scored)),
    example: searched,
  },
  {
    path: 'goals',
    operationId: 'listAssistantGoals',
    summary: 'Goals with their progress',
    tool: 'get_goals',
    limit: 'mcp:read',
    member: 'goals',
    answer: z.array(anything),
  },
  {
    path: 'chat',
    operationId: 'listAssistantChat',
    summary: 'Chat messages, newest first',
    tool: 'get_chat_messages',
    limit: 'mcp:read',
    member: 'messages',
    answer: z.array(anything),
  },
  {
    path: 'people',
    operationId: 'listAssistantPeople',
    summary: 'People that the user knows',
    tool: 'get_people',
    limit: 'mcp:read',
    member: 'people',
    answer: z.array(anything),
  },
  {
    path: 'screen-activity',
    operationId: 'listAssistantScreenActivity',
    summary: 'Screen activity, oldest first. With summary=true: counts by application',
    tool: 'get_screen_activity',
    limit: 'mcp:read',
    member: 'screen_activity',
    query: period('Activity'),
    answer: z.union([z.array(anything), z.looseObject({ total_screenshots: z.number() })]),
  },
  {
    path: 'daily-summaries',
    operationId: 'listAssistantDailySummaries',
    summary: 'Summaries of days, newest first',
    tool: 'get_daily_summaries',
    limit: 'mcp:read',
    member: 'daily_summaries',
    query: period('Days'),
    answer: z.array(anything),
  },
];
