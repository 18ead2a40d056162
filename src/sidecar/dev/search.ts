import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { searchConversations } from '../../service/conversations/index.js';
import { timesOf } from '../../service/days/index.js';
import { searchActionItems, searchMemories, searchPosts } from '../../service/records/index.js';
import { type SearchPage, searchBounds } from '../../service/rules/index.js';
import { type Caller, developerKey, mayUse, ownData } from '../access/index.js';
import { answerBytesOf, type Route, type RouteContext, route } from '../frame/index.js';
import {
  actionItemAnswer,
  clamped,
  dayEnd,
  dayStart,
  exampleActionItem,
  examplePost,
  postAnswer,
  trimmed,
} from '../schemas/index.js';
import { conversationAnswer, exampleConversation } from './conversation-answer.js';
import { exampleMemory, memoryAnswer } from './memories-schema.js';

const query = {
  query: trimmed(1, searchBounds.query).meta({
    description:
      'The search query, by meaning and by words. Quotes require a phrase and a minus excludes a word: "garden plan" -Ann.',
  }),
  limit: clamped(10, 1, searchBounds.page),
};
const period = {
  start_date: dayStart.optional().meta({ description: 'Records of this time or later.' }),
  end_date: dayEnd.optional().meta({ description: 'Records of this time or day, or earlier.' }),
};

const score = {
  relevance_score: z.number().min(0).max(1).meta({ description: 'From 0 to 1; the list is sorted by it.' }),
};
const outcome = {
  returned_count: z.int(),
  semantic: z.boolean().meta({
    description:
      'Whether records were compared by meaning. False while the sentence model is missing, or many records were just stored. Words decide then.',
  }),
};

/** Fields that deployed clients of the memory search expect besides the items. They have no effect in this service. */
const policy = {
  consumer: z.string(),
  app_has_default_memory_grant: z.boolean(),
  archive_capability: z.boolean(),
  raw_provenance_capability: z.boolean(),
};
const ownMemories = {
  archive_default_visible: false,
  policy: {
    consumer: 'developer_api',
    app_has_default_memory_grant: true,
    archive_capability: false,
    raw_provenance_capability: false,
  },
};

const foundAnswer = <Item extends z.ZodObject>(item: Item, id: string) =>
  z
    .object({ items: z.array(item.extend(score).meta({ id: `Found${id}` })).readonly(), ...outcome })
    .meta({ id: `${id}Search` });

const answered = <Item>({ items, semantic }: SearchPage<Item>) => ({
  items,
  returned_count: items.length,
  semantic,
});

const found = <Item extends object>(item: Item) => ({
  items: [{ ...item, relevance_score: 0.6127 }],
  returned_count: 1,
  semantic: true,
});

/** Logs who searched conversations, without the query. */
const audit = (request: FastifyRequest, { uid, key }: Caller, returned: number): void => {
  request.log.info(
    { audit: true, operation: 'search', uid, keyId: key?.id ?? null, ip: request.ip, returned },
    'conversations read',
  );
};

const example = { query: { query: 'garden' } };

/** Returns the routes that search the user's records. */
export const searchRoutes = ({ sql, search }: RouteContext): readonly Route[] => [
  route({
    method: 'GET',
    url: '/v1/dev/user/memories/vector/search',
    operationId: 'searchMemories',
    tag: 'Memories',
    summary: 'Memories that match a query, most relevant first',
    access: developerKey('memories:read'),
    limits: ['dev:memories_read'],
    answerBytes: answerBytesOf(35_000),
    query: z.object(query),
    answer: foundAnswer(memoryAnswer, 'Memory').extend({
      archive_default_visible: z.boolean(),
      policy: z.object(policy),
    }),
    example: { ...example, answer: { ...found(exampleMemory), ...ownMemories } },
    handle: async ({ caller, query: { query: text, limit } }) => ({
      ...answered(await searchMemories(search, sql, caller.uid, 'developer', { text, limit })),
      ...ownMemories,
    }),
  }),

  route({
    method: 'GET',
    url: '/v1/dev/user/conversations/vector/search',
    operationId: 'searchConversations',
    tag: 'Conversations',
    summary: 'Finished conversations that match a query, most relevant first',
    description:
      'Searches title and overview by meaning, and also the transcript by words. Tasks need the scope `action_items:read`.',
    access: developerKey('conversations:read'),
    limits: ['dev:conversations_read', 'dev:conversation_reads_total'],
    answerBytes: answerBytesOf(50_000),
    query: z.object({ ...query, ...period }),
    answer: foundAnswer(conversationAnswer, 'Conversation'),
    example: { ...example, answer: found({ ...exampleConversation, transcript_segments: null }) },
    handle: async ({ caller, query: { query: text, limit, start_date: from, end_date: to }, request }) => {
      const tasks = mayUse(caller, 'action_items:read');
      const period = await timesOf(sql, caller.uid, { from, to });
      const page = await searchConversations(search, sql, caller.uid, { text, limit, ...period }, tasks);
      audit(request, caller, page.items.length);
      return answered(page) as never;
    },
  }),

  route({
    method: 'GET',
    url: '/v1/dev/user/action-items/vector/search',
    operationId: 'searchActionItems',
    tag: 'Action Items',
    summary: 'Action items that match a query, most relevant first',
    access: developerKey('action_items:read'),
    limits: ['dev:action_items_read'],
    query: z.object({ ...query, ...period }),
    answer: foundAnswer(actionItemAnswer, 'ActionItem'),
    example: { ...example, answer: found(exampleActionItem) },
    handle: async ({ caller, query: { query: text, limit, start_date: from, end_date: to } }) => {
      const period = await timesOf(sql, caller.uid, { from, to });
      return answered(await searchActionItems(search, sql, caller.uid, { text, limit, ...period }));
    },
  }),

  route({
    method: 'GET',
    url: '/v1/posts/vector/search',
    operationId: 'searchPosts',
    tag: 'User',
    summary: 'Posts that match a query, most relevant first',
    ...ownData.read,
    answerBytes: answerBytesOf(60_000),
    query: z.object({ ...query, ...period }),
    answer: foundAnswer(postAnswer, 'Post'),
    example: { ...example, answer: found(examplePost) },
    handle: async ({ caller, query: { query: text, limit, start_date: from, end_date: to } }) => {
      const period = await timesOf(sql, caller.uid, { from, to });
      return answered(await searchPosts(search, sql, caller.uid, { text, limit, ...period }));
    },
  }),
];
