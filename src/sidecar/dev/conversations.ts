import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type ConversationQuery,
  conversationsWork,
  conversationWork,
  deleteConversation,
  getConversation,
  listConversationsOf,
  updateConversation,
} from '../../service/conversations/index.js';
import { settledTimes, timesOf } from '../../service/days/index.js';
import type { JsonDocument } from '../../service/parts/index.js';
import { conversationBounds } from '../../wire/records/index.js';
import { type Caller, developerKey, mayUse } from '../access/index.js';
import { deletion, jsonAnswer, type Limit, type Route, type RouteContext, route } from '../frame/index.js';
import { boolean, idPath, overMaximum, pageHeaders, sendCursor, sendWarnings } from '../schemas/index.js';
import { conversationAnswer, exampleConversation } from './conversation-answer.js';
import { conversationPatch, conversationQuery, conversationsQuery } from './conversation-queries.js';

const transcriptLimit: Limit = {
  policy: 'dev:conversation_transcript_read',
  when: ({ include_transcript: given }) => given !== undefined && boolean.safeParse(given).data === true,
};

const mayReadTasks = (caller: Caller): boolean => mayUse(caller, 'action_items:read');

type Query = z.output<typeof conversationsQuery>;

const periodOf = ({ start_date: from, end_date: to }: Query) => ({ from, to });

const limitOf = ({ limit, include_transcript: transcript }: Query): number =>
  transcript ? Math.min(limit, conversationBounds.pageWithTranscript) : limit;

/** Converts the query of a list request to the service's query. */
const asked = (
  query: Query,
  { from, to }: Pick<ConversationQuery, 'from' | 'to'>,
  tasks?: boolean,
): ConversationQuery => ({
  limit: limitOf(query),
  offset: query.offset,
  cursor: query.cursor,
  from,
  to,
  categories: query.categories,
  folderId: query.folder_id,
  starred: query.starred,
  speaker: query.speaker,
  transcript: query.include_transcript,
  tasks,
});

const resource = { createdBy: 'createConversationFromSegments', foreign: 404 } as const;

/** Logs who read which conversations, without their content. No field may be named `transcript`, because the logger drops it. */
const audit = (
  request: FastifyRequest,
  { uid, key }: Caller,
  operation: string,
  read: Record<string, unknown>,
): void => {
  const agent = request.headers['user-agent']?.slice(0, 200);
  request.log.info(
    { audit: true, operation, uid, keyId: key?.id ?? null, ip: request.ip, agent, ...read },
    'conversations read',
  );
};

const listConversationsRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/dev/user/conversations',
    operationId: 'listConversations',
    tag: 'Conversations',
    summary: 'Finished conversations, newest first',
    description: `Tasks need the scope \`action_items:read\`. Filters combine. A page has at most ${conversationBounds.page} conversations, with transcripts ${conversationBounds.pageWithTranscript}; only the last page is shorter.`,
    access: developerKey('conversations:read'),
    limits: ['dev:conversations_read', 'dev:conversation_reads_total', transcriptLimit],
    query: conversationsQuery,
    answer: z.array(conversationAnswer),
    inParts: true,
    answerHeaders: pageHeaders,
    example: { query: { limit: '5' }, answer: [exampleConversation] },
    admits: true,
    handle: async ({ query, request, reply, admit }) => {
      const settled = settledTimes(periodOf(query));
      const { caller, result: page } = await admit(
        () => settled && conversationsWork(asked(query, settled)),
        async (caller) => {
          const period = settled ?? (await timesOf(sql, caller.uid, periodOf(query)));
          return listConversationsOf(sql, caller.uid, asked(query, period, mayReadTasks(caller)));
        },
      );
      const limit = limitOf(query);
      if (limit < query.limit) sendWarnings(reply, [overMaximum('limit', limit, ' with transcripts')]);
      const { offset, include_transcript: withTranscript } = query;
      audit(request, caller, 'list', { limit, offset, withTranscript, returned: page.count });
      sendCursor(reply, page.next);
      return jsonAnswer(page.document);
    },
  });

const getConversationRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/dev/user/conversations/{id}',
    operationId: 'getConversation',
    tag: 'Conversations',
    summary: 'One conversation, in any status',
    description: 'Its tasks need the scope `action_items:read`.',
    access: developerKey('conversations:read'),
    limits: ['dev:conversation_detail_read', 'dev:conversation_reads_total', transcriptLimit],
    resource,
    errors: ['conversation_not_found'],
    path: idPath,
    query: conversationQuery,
    answer: conversationAnswer,
    inParts: true,
    example: { query: { include_transcript: 'true' }, answer: exampleConversation },
    admits: true,
    handle: async ({ path: { id }, query, request, admit }) => {
      const transcript = query.include_transcript;
      const { caller, result: conversation } = await admit<JsonDocument>(
        () => conversationWork(id, transcript),
        (caller) => getConversation(sql, caller.uid, id, transcript, mayReadTasks(caller)),
      );
      audit(request, caller, 'detail', { withTranscript: transcript, conversation: id.toLowerCase() });
      return jsonAnswer(conversation);
    },
  });

const updateConversationRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'PATCH',
    url: '/v1/dev/user/conversations/{id}',
    operationId: 'updateConversation',
    tag: 'Conversations',
    summary: 'Change title, discarding, star or folder; absent fields stay as they are',
    description:
      'The answer includes the transcript with the scope `conversations:read`, and tasks with `action_items:read`. Values set here stay when the conversation is summarised again.',
    access: developerKey('conversations:write'),
    limits: ['dev:conversations'],
    resource,
    errors: ['conversation_not_found', 'record_not_found', 'locked'],
    path: idPath,
    body: conversationPatch,
    answer: conversationAnswer,
    inParts: true,
    example: { body: { title: 'Garden plan', starred: true }, answer: exampleConversation },
    handle: async ({ caller, path, body: changes, request }) => {
      const transcript = mayUse(caller, 'conversations:read');
      const parts = { transcript, tasks: mayReadTasks(caller) };
      const conversation = await updateConversation(sql, caller.uid, path.id, changes, parts);
      audit(request, caller, 'update', { withTranscript: transcript, conversation: path.id.toLowerCase() });
      return jsonAnswer(conversation);
    },
  });

const deleteConversationRoute = ({ sql }: RouteContext): Route =>
  deletion({
    url: '/v1/dev/user/conversations/{id}',
    operationId: 'deleteConversation',
    tag: 'Conversations',
    summary: 'Delete a conversation and its transcript',
    description:
      'A later request to create it with its `client_session_id` gets the answer `deleted` and creates nothing.',
    access: developerKey('conversations:write'),
    limits: ['dev:conversations'],
    resource,
    errors: ['conversation_not_found', 'locked'],
    remove: ({ caller, path }) => deleteConversation(sql, caller.uid, path.id),
  });

/** Returns the routes of the developer API for conversations. */
export const conversationRoutes = (context: RouteContext): readonly Route[] => [
  listConversationsRoute(context),
  getConversationRoute(context),
  updateConversationRoute(context),
  deleteConversationRoute(context),
];
