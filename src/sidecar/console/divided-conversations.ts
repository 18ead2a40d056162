import { z } from 'zod';
import {
  mergeBounds,
  mergeConversationsOf,
  splitConversation,
  undoChange,
} from '../../service/corrections/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath } from '../schemas/index.js';
import { consoleWrites } from './shared-routes.js';

const errors = ['conversation_not_found', 'locked', 'conversation_unfinished'] as const;
const exampleId = '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55';
const exampleUndo = '0c2b7a52-4c0e-4f0b-8f43-5b9d3f6f1a90';
const exampleSegment = 'b9c7a3e0-52e5-4d63-8b0b-7d3f9a1c2d10';

const undo = z.uuid().nullable().meta({
  description:
    'Identifies the change for `conversations/undo`, for 24 hours. Null if it has too many segments.',
});

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
      'Photos follow by their time, tasks and memories by their words. Both conversations are summarised again.',
    resource: { createdBy: 'createConversationFromSegments', foreign: 404 },
    errors: [...errors, 'record_not_found'],
    path: idPath,
    body: z.object({ segment_id: z.string().max(200) }),
    answer: z.object({ id: z.string().meta({ description: 'Id of the new conversation.' }), undo }),
    example: { body: { segment_id: exampleSegment }, answer: { id: exampleId, undo: exampleUndo } },
    handle: ({ caller, path, body }) => splitConversation(sql, caller.uid, path.id, body.segment_id),
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
    answer: z.object({ id: z.string().meta({ description: 'Id of the conversation that stays.' }), undo }),
    example: {
      body: { ids: [exampleId, exampleSegment] },
      answer: { id: exampleId, undo: exampleUndo },
    },
    handle: ({ caller, body }) => mergeConversationsOf(sql, caller.uid, body.ids),
  }),

  route({
    ...consoleWrites,
    method: 'POST',
    url: '/console/api/conversations/undo',
    operationId: 'consoleUndoChange',
    tag: 'Conversations',
    summary: 'Undo a split or a merge',
    description:
      'The conversations are as before, with title, summary, photos, tasks and memories. Texts and speakers corrected since stay corrected. Nothing changes if something would be lost.',
    errors: ['undo_ended', 'undo_refused', 'locked'],
    body: z.object({ undo: z.string().max(100) }),
    answer: z.object({
      id: z.string().meta({ description: 'Id of the conversation that was split, or merged into.' }),
      ids: z.array(z.string()).meta({ description: 'Ids of all conversations that are as before.' }),
    }),
    example: {
      body: { undo: exampleUndo },
      answer: { id: exampleId, ids: [exampleId, exampleSegment] },
    },
    handle: async ({ caller, body }) => {
      const { id, ids } = await undoChange(sql, caller.uid, body.undo);
      return { id, ids: [...ids] };
    },
  }),
];
