import { z } from 'zod';
import { changeConversations, manyBounds } from '../../service/corrections/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { consoleWrites } from './shared-routes.js';

const ids = z.array(z.string().max(100)).min(1).max(manyBounds.conversations);

const change = z.discriminatedUnion('action', [
  z.object({ ids, action: z.literal('delete') }),
  z.object({ ids, action: z.literal('move'), folder_id: z.string().nullable() }),
  z.object({ ids, action: z.literal('star'), starred: z.boolean() }),
]);

const exampleId = '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55';

/** Returns the route that changes several conversations at once. */
export const manyConversationRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...consoleWrites,
    method: 'POST',
    url: '/console/api/conversations/batch',
    operationId: 'consoleChangeConversations',
    tag: 'Conversations',
    summary: 'Delete, move or star several conversations',
    description: `At most ${manyBounds.conversations}. Each is changed on its own, and has a result of its own.`,
    errors: ['record_not_found'],
    body: change,
    answer: z.array(
      z.object({
        id: z.string(),
        result: z.enum(['done', 'absent', 'locked']).meta({
          description:
            '`absent`: the user has no such conversation. `locked`: the plan of the user does not include it.',
        }),
      }),
    ),
    example: {
      body: { ids: [exampleId], action: 'star', starred: true },
      answer: [{ id: exampleId, result: 'done' }],
    },
    handle: async ({ caller, body: { ids, ...common } }) => [
      ...(await changeConversations(sql, caller.uid, ids, common)),
    ],
  }),
];
