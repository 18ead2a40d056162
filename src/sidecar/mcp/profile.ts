import { z } from 'zod';
import { findProfile } from '../../service/records/index.js';
import { findUser } from '../../store/accounts/index.js';
import { assistant } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';

const answer = z
  .object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone_number: z.string().nullable(),
    profile_text: z.string().nullable(),
    generated_at: z.iso.datetime().nullable(),
    data_sources_used: z.array(z.string()).nullable(),
  })
  .meta({ id: 'AssistantProfile' });

/** Returns the route with which an assistant reads the user's profile. */
export const assistantProfileRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    method: 'GET',
    url: '/v1/mcp/profile',
    operationId: 'getAssistantProfile',
    tag: 'Assistants',
    summary: 'Name, e-mail address and profile of the user',
    access: assistant('memories.read'),
    limits: ['mcp:read'],
    answer,
    example: {
      answer: {
        name: 'Ann',
        email: 'ann@example.org',
        phone_number: null,
        profile_text: 'Gardener who reads a lot.',
        generated_at: '2026-03-01T10:00:00Z',
        data_sources_used: ['memories'],
      },
    },
    handle: async ({ caller }) => {
      const user = await findUser(sql, caller.uid);
      const profile = await findProfile(sql, caller.uid);
      return {
        name: user?.name ?? null,
        email: user?.email ?? null,
        phone_number: null,
        profile_text: profile?.profile_text ?? null,
        generated_at: profile?.generated_at ?? null,
        data_sources_used: profile?.data_sources_used ?? null,
      };
    },
  }),
];
