import { z } from 'zod';
import {
  assistantBounds,
  listCards,
  readWholeConversation,
  searchCards,
} from '../../../service/conversations/index.js';
import { daysOf, timesOf } from '../../../service/days/index.js';
import { dailySummaries } from '../../../service/records/index.js';
import { conversationCategories } from '../../../service/structure/summary/index.js';
import {
  alsoOpens,
  choices,
  conversationCard,
  daySummary,
  fromDay,
  id,
  limit,
  notice,
  noticeField,
  offset,
  query,
  relevance,
  shortened,
  snippet,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolGroup,
  toDay,
  tool,
  wholeConversation,
} from '../toolkit/index.js';

const reads = { scopes: ['conversations.read'], effect: 'read' } as const;
const mayReadTasks = (call: Pick<ToolCall<unknown>, 'scopes'>): boolean =>
  alsoOpens(call, 'action_items.read');

const getConversationsTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_conversations',
    title: 'List conversations',
    description:
      'Summaries of recorded conversations, newest first. For a transcript use get_conversation_by_id.',
    ...reads,
    input: z.object({
      start_date: fromDay('Conversations'),
      end_date: toDay('Conversations'),
      categories: choices(conversationCategories, 'Only conversations of these categories'),
      limit: limit(20, assistantBounds.page),
      offset,
    }),
    output: z.object({ conversations: z.array(conversationCard), has_more: z.boolean(), ...noticeField }),
    call: async ({ uid, scopes, given }) => {
      const period = await timesOf(sql, uid, { from: given.start_date, to: given.end_date });
      const { items, more } = await listCards(sql, uid, {
        ...period,
        tasks: mayReadTasks({ scopes }),
        categories: given.categories,
        limit: given.limit,
        offset: given.offset,
      });
      return { conversations: items, has_more: more, notice };
    },
  });

const searchConversationsTool = ({ sql, search }: ToolContext): Tool =>
  tool({
    name: 'search_conversations',
    title: 'Search conversations',
    description: 'Conversations about a subject, most relevant first.',
    ...reads,
    input: z.object({
      query,
      start_date: fromDay('Conversations'),
      end_date: toDay('Conversations'),
      limit: limit(10, assistantBounds.page),
    }),
    output: z.object({
      conversations: z.array(
        conversationCard.extend({ relevance_score: relevance, match_snippets: z.array(snippet) }),
      ),
      ...noticeField,
    }),
    call: async ({ uid, scopes, given: { query: text, limit, start_date: from, end_date: to } }) => {
      const tasks = mayReadTasks({ scopes });
      const period = await timesOf(sql, uid, { from, to });
      const cards = await searchCards(search, sql, uid, { text, limit, ...period }, tasks);
      return { conversations: cards, notice };
    },
  });

const getConversationByIdTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_conversation_by_id',
    title: 'Read a conversation',
    description: 'One conversation with its summary and its whole transcript, with speakers and times.',
    ...reads,
    input: z.object({ conversation_id: id('conversation') }),
    output: z.object({ conversation: wholeConversation, ...noticeField }),
    call: async ({ uid, scopes, given }) => ({
      conversation: await readWholeConversation(sql, uid, given.conversation_id, mayReadTasks({ scopes })),
      notice,
    }),
  });

const getDailySummariesTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_daily_summaries',
    title: 'List daily summaries',
    description: 'Summaries of whole days, newest first.',
    ...reads,
    input: z.object({
      start_date: fromDay('Days'),
      end_date: toDay('Days'),
      limit: limit(30, 100),
      offset,
    }),
    output: z.object({
      daily_summaries: z.array(daySummary),
      ...noticeField,
    }),
    call: async ({ uid, given }) => {
      const period = await daysOf(sql, uid, { from: given.start_date, to: given.end_date });
      const { items } = await dailySummaries.list(sql, uid, {
        ...period,
        limit: given.limit,
        offset: given.offset,
      });
      const short = shortened(items.length);
      const days = items.map((row) => ({ ...row, overview: short(row.overview), date: row.id }));
      return { daily_summaries: days, notice };
    },
  });

/** Returns the tools for conversations and their summaries. */
export const conversationTools: ToolGroup = (context) => [
  getConversationsTool(context),
  searchConversationsTool(context),
  getConversationByIdTool(context),
  getDailySummariesTool(context),
];
