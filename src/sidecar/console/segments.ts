import { z } from 'zod';
import {
  changeSegment,
  correctionBounds,
  listFoundMemories,
  listSegments,
} from '../../service/corrections/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath, pageHeaders, pageQuery, sendPage } from '../schemas/index.js';
import { consoleReads, consoleWrites } from './shared-routes.js';

const { offset: _, ...cursorQuery } = pageQuery(correctionBounds.page, correctionBounds.page);

const segmentAnswer = z
  .object({
    id: z.string(),
    text: z.string(),
    speaker_id: z.int(),
    speaker_name: z.string(),
    is_user: z.boolean(),
    person_id: z.string().nullable(),
    start: z.number().meta({ description: 'Seconds from the start of the conversation.' }),
    end: z.number(),
    revision: z.int().meta({ description: 'A change of the segment names this revision.' }),
    by_user: z.boolean().meta({ description: 'Whether the user corrected the text or the speaker.' }),
  })
  .meta({ id: 'CorrectableSegment' });

export const exampleSegment = {
  id: 'b9c7a3e0-52e5-4d63-8b0b-7d3f9a1c2d10',
  text: 'I am allergic to peanuts.',
  speaker_id: 0,
  speaker_name: 'Ann',
  is_user: true,
  person_id: null,
  start: 14.2,
  end: 17.9,
  revision: 3,
  by_user: false,
};

const segmentPath = z.object({ id: z.string(), segment_id: z.string() });

/** No operation creates a segment, so the authorization test creates a conversation with segments. */
const resource = { createdBy: 'createConversationFromSegments', foreign: 404 } as const;

/** Returns the routes that read and correct the segments of a conversation. */
export const segmentRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...consoleReads,
    method: 'GET',
    url: '/console/api/conversations/{id}/segments',
    operationId: 'consoleListSegments',
    tag: 'Conversations',
    summary: 'The transcript of a conversation in pages, with the revision of each segment',
    description: 'A page is shorter than `limit` if its texts are long.',
    resource,
    errors: ['conversation_not_found'],
    path: idPath,
    query: z.object(cursorQuery),
    answer: z.array(segmentAnswer),
    answerHeaders: pageHeaders,
    example: { query: { limit: '50' }, answer: [exampleSegment] },
    handle: async ({ caller, path, query, reply }) =>
      sendPage(reply, await listSegments(sql, caller.uid, path.id, query)),
  }),

  route({
    ...consoleReads,
    method: 'GET',
    url: '/console/api/conversations/{id}/memories',
    operationId: 'consoleListFoundMemories',
    tag: 'Conversations',
    summary: 'The memories that were found in a conversation, newest first',
    resource,
    errors: ['conversation_not_found'],
    path: idPath,
    answer: z.array(z.object({ id: z.string(), content: z.string() })),
    example: {
      answer: [{ id: '2f1a6c40-9d5e-4b4e-9c53-0a1d7b2c3e44', content: 'Is allergic to peanuts.' }],
    },
    handle: ({ caller, path }) => listFoundMemories(sql, caller.uid, path.id),
  }),

  route({
    ...consoleWrites,
    method: 'PATCH',
    url: '/console/api/conversations/{id}/segments/{segment_id}',
    operationId: 'consoleChangeSegment',
    tag: 'Conversations',
    summary: 'Change the text of a segment',
    description:
      'Automatic writes keep the new text. The search finds it at once, and the conversation is summarised again.',
    resource,
    errors: [
      'conversation_not_found',
      'record_not_found',
      'locked',
      'conversation_unfinished',
      'segment_changed',
      'conversation_full',
    ],
    path: segmentPath,
    body: z.object({ text: z.string(), revision: z.int() }),
    answer: segmentAnswer,
    example: {
      path: { segment_id: exampleSegment.id },
      body: { text: exampleSegment.text, revision: 2 },
      answer: exampleSegment,
    },
    handle: ({ caller, path, body }) =>
      changeSegment(sql, caller.uid, { id: path.id, segmentId: path.segment_id, ...body }),
  }),
];
