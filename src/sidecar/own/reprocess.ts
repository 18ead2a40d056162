import { z } from 'zod';
import { reprocessConversation } from '../../service/conversations/index.js';
import { firstParty } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath } from '../schemas/index.js';

/** The route that processes a conversation again. */
export const reprocessRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    method: 'POST',
    url: '/v1/conversations/{id}/reprocess',
    operationId: 'reprocessConversation',
    tag: 'Conversations',
    summary: 'Make the summary of a conversation, and what follows from it, again',
    description:
      'The answer comes at once, the new summary later. It replaces action items and memories that were found in the conversation; what the user has set, completed or edited stays.',
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
