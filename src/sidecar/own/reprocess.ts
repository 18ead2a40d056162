import { z } from 'zod';
import { reprocessConversation } from '../../service/conversations/index.js';
import { firstParty } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath } from '../schemas/index.js';

/** Returns the route that processes a conversation again. */
export const reprocessRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    method: 'POST',
    url: '/v1/conversations/{id}/reprocess',
    operationId: 'reprocessConversation',
    tag: 'Conversations',
    summary: 'Process a conversation again: its summary, tasks and memories',
    description:
      'The answer comes at once, the new summary later. Action items and memories found in the conversation are replaced. Values that the user set, completed or edited stay.',
    access: firstParty,
    limits: ['conversations:reprocess'],
    resource: { createdBy: 'createOwnConversationFromSegments', foreign: 404 },
    errors: ['conversation_not_found', 'locked', 'conversation_unfinished'],
    path: idPath,
    answer: z.object({ id: z.string(), status: z.literal('completed') }),
    example: { answer: { id: '0b1c9a52-6f0e-5d8f-9a56-3b7e3c1d2f4a', status: 'completed' } },
    handle: async ({ caller, path }) => {
      await reprocessConversation(sql, caller.uid, path.id);
      return { id: path.id.toLowerCase(), status: 'completed' as const };
    },
  }),
];
