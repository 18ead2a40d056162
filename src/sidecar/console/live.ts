import { z } from 'zod';
import { listLiveConversations } from '../../service/conversations/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { consoleReads } from './shared-routes.js';

const moment = z.iso.datetime();

const liveAnswer = z.array(
  z
    .object({
      id: z.uuid(),
      source: z.string(),
      language: z.string(),
      started_at: moment.nullable(),
      last_speech_at: moment.meta({ description: 'When the newest stored words were said.' }),
    })
    .meta({ id: 'LiveConversation' }),
);

const exampleLive = {
  id: '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55',
  source: 'phone',
  language: 'en',
  started_at: '2026-03-02T09:30:00Z',
  last_speech_at: '2026-03-02T09:34:10Z',
};

/** Returns the route that lists the conversations that are in progress on any engine. */
export const liveRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...consoleReads,
    method: 'GET',
    url: '/console/api/conversations/live',
    operationId: 'consoleListLiveConversations',
    tag: 'Conversations',
    summary: 'Conversations that are going on, newest first',
    answer: liveAnswer,
    example: { answer: [exampleLive] },
    handle: ({ caller }) => listLiveConversations(sql, caller.uid),
  }),
];
