import { z } from 'zod';
import { mergeBounds, mergeConversationsOf, splitConversation } from '../../service/corrections/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath } from '../schemas/index.js';
import { consoleWrites } from './shared-routes.js';

const errors = ['conversation_not_found', 'locked', 'conversation_unfinished'] as const;
const exampleId = '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55';
const exampleSegment = 'b9c7a3e0-52e5-4d63-8b0b-7d3f9a1c2d10';

/** Returns the routes that split and merge conversations. */
export const dividedConversationRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...consoleWrites,
    method: 'POST',
    url: '/console/api/conversations/{id}/split',
    operationId: 'consoleSplitConversation',
    tag: 'Conversations',
    summary: 'Move a segment and all that follow to a new conversation',
    description:
      'Photos follow by their time, tasks and memories by their words. Both conversations are summarised again. Merging them undoes the split.',
    resource: { createdBy: 'createConversationFromSegments', foreign: 404 },
    errors: [...errors, 'record_not_found'],
    path: idPath,
    body: z.object({ segment_id: z.string().max(200) }),
    answer: z.object({ id: z.string().meta({ description: 'Id of the new conversation.' }) }),
    example: { body: { segment_id: exampleSegment }, answer: { id: exampleId } },
    handle: async ({ caller, path, body }) => ({
      id: await splitConversation(sql, caller.uid, path.id, body.segment_id),
    }),
  }),

  route({
    ...consoleWrites,
    method: 'POST',
    url: '/console/api/conversations/merge',
    operationId: 'consoleMergeConversations',
    tag: 'Conversations',
    summary: 'Merge conversations into the one that began first',
    description: `At most ${mergeBounds.conversations}, with their photos, tasks and memories. Segments are ordered by time.`,
    errors: [...errors, 'conversation_is_text', 'conversation_full'],
    body: z.object({ ids: z.array(z.string().max(100)).min(2).max(mergeBounds.conversations) }),
    answer: z.object({ id: z.string().meta({ description: 'Id of the conversation that stays.' }) }),
    example: { body: { ids: [exampleId, exampleSegment] }, answer: { id: exampleId } },
    handle: async ({ caller, body }) => ({ id: await mergeConversationsOf(sql, caller.uid, body.ids) }),
  }),
];
