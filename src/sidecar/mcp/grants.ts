import { z } from 'zod';
import { assistantsOf } from '../../issuer/index.js';
import { grantsOf, revokeGrant } from '../../store/accounts/index.js';
import { isoUtc } from '../../store/record/index.js';
import { ownData } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';

const grantPath = z.object({ grant_id: z.string().min(1).max(100) });

const answer = z.object({
  grants: z.array(
    z.object({
      id: z.string(),
      client_id: z.string(),
      client_name: z.string(),
      scopes: z.array(z.string()),
      created_at: z.iso.datetime(),
      last_used_at: z.iso.datetime().nullable(),
    }),
  ),
});

/** Returns the routes that list and revoke the access of assistants. */
export const grantRoutes = ({ sql, settings }: RouteContext): readonly Route[] => {
  const assistants = assistantsOf(settings);
  return [
    route({
      method: 'GET',
      url: '/v1/mcp/oauth/grants',
      operationId: 'listGrants',
      tag: 'Assistants',
      summary: 'Assistants that have access, newest first',
      ...ownData.read,
      answer,
      example: {
        answer: {
          grants: [
            {
              id: 'Zc3Xk0Lr1P_8sVb5qN2tA',
              client_id: 'helper',
              client_name: 'Helper',
              scopes: ['memories.read'],
              created_at: '2026-03-01T10:00:00Z',
              last_used_at: null,
            },
          ],
        },
      },
      handle: async ({ caller }) => ({
        grants: (await grantsOf(sql, caller.uid)).map((grant) => ({
          id: grant.id,
          client_id: grant.client_id,
          client_name: assistants.get(grant.client_id)?.name ?? grant.client_id,
          scopes: [
            ...new Set(Object.values(grant.resources ?? {}).flatMap((words) => words.split(' '))),
          ].sort(),
          created_at: isoUtc(grant.created_at),
          last_used_at: grant.last_used_at && isoUtc(grant.last_used_at),
        })),
      }),
    }),

    route({
      method: 'DELETE',
      url: '/v1/mcp/oauth/grants/{grant_id}',
      operationId: 'revokeGrant',
      tag: 'Assistants',
      summary: 'Revoke the access of an assistant',
      description:
        'Its tokens are refused from the next request on. The answer does not reveal whether an unknown grant belongs to another user.',
      ...ownData.write,
      path: grantPath,
      resource: { createdBy: null, parameter: 'grant_id', foreign: 204 },
      example: { path: { grant_id: 'Zc3Xk0Lr1P_8sVb5qN2tA' } },
      handle: async ({ caller, path }) => {
        await revokeGrant(sql, caller.uid, path.grant_id);
      },
    }),
  ];
};
