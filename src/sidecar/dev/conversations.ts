import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findUser } from '../../identity/index.js';
import { createFromSegments, getConversation, listConversationsOf } from '../../service/index.js';
import type { ConversationRecord } from '../../store/conversation-record.js';
import type { Sql } from '../../store/database.js';
import type { Caller } from '../authentication.js';
import type { RouteContext } from '../context.js';
import { boolean, clamped, dateTime, trimmed } from '../fields.js';
import { developerKey, developerKeyOrIdToken, firstParty } from '../frame/access.js';
import { type Limit, type Route, route } from '../frame/route.js';
import {
  conversationAnswer,
  createdAnswer,
  exampleConversation,
  exampleSegments,
} from './conversation-answer.js';
import { fromSegmentsBody } from './from-segments.js';

const largestPage = 100;
const largestPageWithTranscript = 25;

const listQuery = z.object({
  start_date: dateTime.optional(),
  end_date: dateTime.optional(),
  categories: z.string().optional(),
  folder_id: trimmed(1, 200).optional(),
  starred: boolean.optional(),
  limit: clamped(25, 1, largestPage),
  offset: clamped(0, 0, Number.MAX_SAFE_INTEGER),
  include_transcript: boolean.default(false),
});

const detailQuery = z.object({ include_transcript: boolean.default(false) });
const detailPath = z.object({ id: z.string() });
const created = { id: exampleConversation.id, status: 'completed', discarded: false };

const transcriptLimit: Limit = {
  policy: 'dev:conversation_transcript_read',
  when: ({ include_transcript: given }) => given !== undefined && boolean.safeParse(given).data === true,
};

/** A conversation as the developer API shows it: without status, flags and internal values. */
const developerView = (conversation: ConversationRecord, userName: string | null) => ({
  id: conversation.id,
  created_at: conversation.created_at,
  started_at: conversation.started_at,
  finished_at: conversation.finished_at,
  structured: conversation.structured,
  language: conversation.language,
  source: conversation.source,
  transcript_segments:
    conversation.transcript_segments?.map((segment) => ({
      id: segment.id,
      text: segment.text,
      speaker_id: segment.speaker_id,
      speaker_name: segment.is_user ? (userName ?? 'User') : `Speaker ${segment.speaker_id}`,
      start: segment.start,
      end: segment.end,
    })) ?? null,
  geolocation: conversation.geolocation,
  folder_id: conversation.folder_id,
  folder_name: null,
});

const nameOf = async (sql: Sql, uid: string, needed: boolean): Promise<string | null> =>
  needed ? ((await findUser(sql, uid))?.name ?? null) : null;

/** Logs who read which conversations, without their content. */
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

/** Conversations of the developer API, and the same from-segments route for first-party clients. */
export const conversationRoutes = ({ sql, extractor }: RouteContext): readonly Route[] => [
  route({
    method: 'POST',
    url: '/v1/dev/user/conversations/from-segments',
    operationId: 'createConversationFromSegments',
    tag: 'Conversations',
    summary: 'Create a conversation from transcript segments',
    description: 'With the same `client_session_id` it can be repeated: it is one conversation.',
    access: developerKeyOrIdToken('conversations:write'),
    limits: ['dev:conversations'],
    errors: ['conversation_claimed'],
    body: fromSegmentsBody,
    answer: createdAnswer,
    example: { body: exampleSegments, answer: created },
    handle: ({ caller, body }) => createFromSegments(sql, extractor, caller.uid, body),
  }),

  route({
    method: 'POST',
    url: '/v1/conversations/from-segments',
    operationId: 'createOwnConversationFromSegments',
    tag: 'Conversations',
    summary: 'Create a conversation from transcript segments, for the own applications of a user',
    access: firstParty,
    limits: ['conversations:from-segments'],
    errors: ['conversation_claimed'],
    body: fromSegmentsBody,
    answer: createdAnswer,
    example: { body: exampleSegments, answer: created },
    handle: ({ caller, body }) => createFromSegments(sql, extractor, caller.uid, body),
  }),

  route({
    method: 'GET',
    url: '/v1/dev/user/conversations',
    operationId: 'listConversations',
    tag: 'Conversations',
    summary: 'Finished conversations, newest first',
    access: developerKey('conversations:read'),
    limits: ['dev:conversations_read', 'dev:conversation_reads_total', transcriptLimit],
    errors: ['bad_request'],
    query: listQuery,
    answer: z.array(conversationAnswer),
    example: { query: { limit: '5' }, answer: [exampleConversation] },
    handle: async ({ caller, query: given, request }) => {
      const { limit, offset, include_transcript: transcript, ...query } = given;
      const page = await listConversationsOf(sql, caller.uid, {
        from: query.start_date,
        to: query.end_date,
        categories: query.categories
          ?.split(',')
          .map((category) => category.trim())
          .filter((category) => category !== ''),
        folderId: query.folder_id,
        starred: query.starred,
        limit: transcript ? Math.min(limit, largestPageWithTranscript) : limit,
        offset,
        transcript,
      });
      audit(request, caller, 'list', { limit, offset, transcript, returned: page.length });
      const name = await nameOf(sql, caller.uid, transcript);
      return page.map((conversation) => developerView(conversation, name));
    },
  }),

  route({
    method: 'GET',
    url: '/v1/dev/user/conversations/{id}',
    operationId: 'getConversation',
    tag: 'Conversations',
    summary: 'One conversation',
    access: developerKey('conversations:read'),
    limits: ['dev:conversation_detail_read', 'dev:conversation_reads_total', transcriptLimit],
    resource: { createdBy: 'createConversationFromSegments', foreign: 404 },
    errors: ['conversation_not_found'],
    path: detailPath,
    query: detailQuery,
    answer: conversationAnswer,
    example: { query: { include_transcript: 'true' }, answer: exampleConversation },
    handle: async ({ caller, path, query, request }) => {
      const transcript = query.include_transcript;
      const conversation = await getConversation(sql, caller.uid, path.id, transcript);
      audit(request, caller, 'detail', { transcript, conversation: conversation.id });
      return developerView(conversation, await nameOf(sql, caller.uid, transcript));
    },
  }),
];
