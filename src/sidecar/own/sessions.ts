import { z } from 'zod';
import { firstPartyClients } from '../../issuer/index.js';
import { endSession, sessionsOf, signOutEverywhere } from '../../store/accounts/index.js';
import { isoUtc } from '../../store/record/index.js';
import { ownData } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';

const sessionPath = z.object({ session_id: z.string().min(1).max(100) });

const answer = z.object({
  sessions: z.array(z.object({ id: z.string(), created_at: z.iso.datetime(), expires_at: z.iso.datetime() })),
});

/** Returns the routes that list and end a user's browser sessions. */
export const sessionRoutes = ({ sql, settings }: RouteContext): readonly Route[] => [
  route({
    method: 'GET',
    url: '/v1/users/sessions',
    operationId: 'listSessions',
    tag: 'User',
    summary: 'Browsers in which the user is signed in, newest first',
    ...ownData.read,
    answer,
    example: {
      answer: {
        sessions: [
          {
            id: 'b2J9fJxJ4T0sN6cM1aQxW',
            created_at: '2026-03-01T10:00:00Z',
            expires_at: '2026-03-15T10:00:00Z',
          },
        ],
      },
    },
    handle: async ({ caller }) => ({
      sessions: (await sessionsOf(sql, caller.uid)).map((session) => ({
        id: session.id,
        created_at: isoUtc(session.created_at),
        expires_at: isoUtc(session.expires_at),
      })),
    }),
  }),

  route({
    method: 'DELETE',
    url: '/v1/users/sessions/{session_id}',
    operationId: 'endSession',
    tag: 'User',
    summary: 'Sign a browser out',
    ...ownData.write,
    path: sessionPath,
    resource: { createdBy: null, parameter: 'session_id', foreign: 204 },
    example: { path: { session_id: 'b2J9fJxJ4T0sN6cM1aQxW' } },
    handle: async ({ caller, path }) => {
      await endSession(sql, caller.uid, path.session_id);
    },
  }),

  route({
    method: 'DELETE',
    url: '/v1/users/sessions',
    operationId: 'signOutEverywhere',
    tag: 'User',
    summary: 'Sign every browser and every own application out',
    description:
      'Ends all refresh tokens of own applications and all earlier ID tokens at once, including that of the request. Their streams are closed. Assistants keep the access that the user granted.',
    ...ownData.write,
    handle: ({ caller }) => signOutEverywhere(sql, caller.uid, firstPartyClients(settings)),
  }),
];
