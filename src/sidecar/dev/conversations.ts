import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { findUser } from '../../identity/index.js';
import {
  createFromSegments,
  getConversation,
  listConversationsOf,
  type StructureExtractor,
} from '../../service/index.js';
import type { ConversationRecord } from '../../store/conversation-record.js';
import type { Sql } from '../../store/database.js';
import { callerOf, type Guards } from '../authentication.js';
import { boolean, clamped, dateTime } from '../fields.js';
import type { Policy } from '../rate-limits.js';
import { fromSegmentsBody } from './from-segments.js';

export interface ConversationRoutes {
  readonly sql: Sql;
  readonly guards: Guards;
  readonly extractor: StructureExtractor;
}

const largestPage = 100;
const largestPageWithTranscript = 25;

const listQuery = z.object({
  start_date: dateTime.optional(),
  end_date: dateTime.optional(),
  categories: z.string().optional(),
  folder_id: z.string().trim().min(1).optional(),
  starred: boolean.optional(),
  limit: clamped(25, 1, largestPage),
  offset: clamped(0, 0, Number.MAX_SAFE_INTEGER),
  include_transcript: boolean.default(false),
});

const detailQuery = z.object({ include_transcript: boolean.default(false) });
const detailPath = z.object({ id: z.string() });

// Rate limits are counted before the query is validated, so this reads the query as the client sent it.
const wantsTranscript = (request: FastifyRequest): boolean => {
  const { include_transcript: given } = request.query as { include_transcript?: unknown };
  return given !== undefined && boolean.safeParse(given).data === true;
};

const reading =
  (own: Policy) =>
  (request: FastifyRequest): Policy[] => [
    own,
    'dev:conversation_reads_total',
    ...(wantsTranscript(request) ? (['dev:conversation_transcript_read'] as const) : []),
  ];

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
const audit = (request: FastifyRequest, operation: string, read: Record<string, unknown>): void => {
  const { uid, key } = callerOf(request);
  const agent = request.headers['user-agent']?.slice(0, 200);
  request.log.info(
    { audit: true, operation, uid, keyId: key?.id ?? null, ip: request.ip, agent, ...read },
    'conversations read',
  );
};

/** Conversations of the developer API, and the same from-segments route for first-party clients. */
export const conversationRoutes = (
  app: FastifyInstance,
  { sql, guards, extractor }: ConversationRoutes,
): void => {
  const routes = app.withTypeProvider<ZodTypeProvider>();

  routes.post(
    '/v1/dev/user/conversations/from-segments',
    {
      onRequest: guards.developer({
        scope: 'conversations:write',
        policies: () => ['dev:conversations'],
        idToken: true,
      }),
      schema: { body: fromSegmentsBody },
    },
    (request) => createFromSegments(sql, extractor, callerOf(request).uid, request.body),
  );

  routes.post(
    '/v1/conversations/from-segments',
    { onRequest: guards.firstParty(['conversations:from-segments']), schema: { body: fromSegmentsBody } },
    (request) => createFromSegments(sql, extractor, callerOf(request).uid, request.body),
  );

  routes.get(
    '/v1/dev/user/conversations',
    {
      onRequest: guards.developer({
        scope: 'conversations:read',
        policies: reading('dev:conversations_read'),
      }),
      schema: { querystring: listQuery },
    },
    async (request) => {
      const { uid } = callerOf(request);
      const { limit, offset, include_transcript: transcript, ...query } = request.query;
      const page = await listConversationsOf(sql, uid, {
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
      audit(request, 'list', { limit, offset, transcript, returned: page.length });
      const name = await nameOf(sql, uid, transcript);
      return page.map((conversation) => developerView(conversation, name));
    },
  );

  routes.get(
    '/v1/dev/user/conversations/:id',
    {
      onRequest: guards.developer({
        scope: 'conversations:read',
        policies: reading('dev:conversation_detail_read'),
      }),
      schema: { params: detailPath, querystring: detailQuery },
    },
    async (request) => {
      const { uid } = callerOf(request);
      const transcript = request.query.include_transcript;
      const conversation = await getConversation(sql, uid, request.params.id, transcript);
      audit(request, 'detail', { transcript, conversation: conversation.id });
      return developerView(conversation, await nameOf(sql, uid, transcript));
    },
  );
};
