import { createFromSegments, createFromText } from '../../service/conversations/index.js';
import { developerKey, developerKeyOrIdToken, firstParty } from '../access/index.js';
import { type Route, type RouteContext, type RouteHead, route } from '../frame/index.js';
import { idempotencyHeaders } from '../schemas/index.js';
import { createdAnswer, exampleConversation, exampleSegments } from './conversation-answer.js';
import { textBody } from './conversation-queries.js';
import { fromSegmentsBody } from './from-segments.js';

const created = { id: exampleConversation.id, status: 'completed', discarded: false };
const exampleText = {
  text: 'The beds have to be measured before Ann gets the garden plan.',
  text_source: 'message',
  started_at: '2026-03-02T09:30:00Z',
};

/** Declares a route that creates a conversation from segments. */
const fromSegments = (
  { sql, rules }: RouteContext,
  own: Pick<RouteHead, 'url' | 'operationId' | 'summary' | 'description' | 'access' | 'limits'>,
): Route =>
  route({
    ...own,
    method: 'POST',
    tag: 'Conversations',
    headers: idempotencyHeaders,
    body: fromSegmentsBody,
    // Transcripts are the largest bodies. Only BODY_LIMIT limits them.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    answer: createdAnswer,
    example: { body: exampleSegments, answer: created },
    handle: ({ caller, headers, body }) =>
      createFromSegments(sql, rules, caller.uid, { ...body, idempotencyKey: headers['idempotency-key'] }),
  });

/** Returns the routes that create conversations. The last route is for a user's own applications. */
export const createConversationRoutes = (context: RouteContext): readonly Route[] => [
  route({
    method: 'POST',
    url: '/v1/dev/user/conversations',
    operationId: 'createConversation',
    tag: 'Conversations',
    summary: 'Create a conversation from a text',
    description:
      'A text is never discarded. A request repeated with the same `client_session_id` makes only one conversation.',
    access: developerKey('conversations:write'),
    limits: ['dev:conversations'],
    headers: idempotencyHeaders,
    body: textBody,
    answer: createdAnswer,
    example: { body: exampleText, answer: created },
    handle: ({ caller, headers, body }) =>
      createFromText(context.sql, context.rules, caller.uid, {
        ...body,
        idempotencyKey: headers['idempotency-key'],
      }),
  }),

  fromSegments(context, {
    url: '/v1/dev/user/conversations/from-segments',
    operationId: 'createConversationFromSegments',
    summary: 'Create a conversation from transcript segments',
    description: 'A request repeated with the same `client_session_id` makes only one conversation.',
    access: developerKeyOrIdToken('conversations:write'),
    limits: ['dev:conversations'],
  }),

  fromSegments(context, {
    url: '/v1/conversations/from-segments',
    operationId: 'createOwnConversationFromSegments',
    summary: 'Create a conversation from transcript segments, for the own applications of a user',
    access: firstParty,
    limits: ['conversations:from-segments'],
  }),
];
