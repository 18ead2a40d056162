import { z } from 'zod';
import {
  type ApiKey,
  createApiKey,
  developerScopes,
  listApiKeys,
  longestName,
  revokeApiKey,
  rotateApiKey,
} from '../../identity/index.js';
import { isoUtc } from '../../store/conversation-record.js';
import type { RouteContext } from '../context.js';
import { developerKey, keyOwner } from '../frame/access.js';
import { type Route, route } from '../frame/route.js';

/** What a name and scopes have to be is decided, and refused with its own words, where keys are made. */
const keyBody = z.object({
  name: z
    .string()
    .meta({ override: { type: 'string', minLength: 1, maxLength: longestName, pattern: '\\S' } }),
  scopes: z.array(z.string().meta({ override: { type: 'string', enum: [...developerScopes] } })).nullish(),
});
const keyPath = z.object({ key_id: z.string() });

const keyShape = {
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().meta({ description: 'Prefix, first and last four digits; not the key.' }),
  scopes: z.array(z.string()),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
};
const keyAnswer = z.object(keyShape).meta({ id: 'DeveloperApiKey' });
const createdKey = z
  .object({ ...keyShape, key: z.string().meta({ description: 'The key. It is shown once.' }) })
  .meta({ id: 'CreatedDeveloperApiKey' });

const keyView = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  key_prefix: key.keyPrefix,
  scopes: [...key.scopes],
  created_at: isoUtc(key.createdAt),
  last_used_at: key.lastUsedAt && isoUtc(key.lastUsedAt),
});

const example = {
  id: '5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11',
  name: 'laptop',
  key_prefix: 'svc_dev_1a2b...9f0e',
  scopes: ['conversations:read', 'memories:read'],
  created_at: '2026-03-01T10:00:00Z',
  last_used_at: null,
};

/** Routes with which signed-in users manage developer keys, and the route with which a key reads its own record. */
export const keyRoutes = ({ settings, sql }: RouteContext): readonly Route[] => [
  route({
    method: 'GET',
    url: '/v1/dev/keys',
    operationId: 'listApiKeys',
    tag: 'API Keys',
    summary: 'The developer keys of the user, newest first',
    access: keyOwner,
    limits: ['dev:keys'],
    answer: z.array(keyAnswer),
    example: { answer: [example] },
    handle: async ({ caller }) => (await listApiKeys(sql, caller.uid)).map(keyView),
  }),

  route({
    method: 'POST',
    url: '/v1/dev/keys',
    operationId: 'createApiKey',
    tag: 'API Keys',
    summary: 'Create a developer key',
    description: 'Without scopes the key reads everything and writes nothing.',
    access: keyOwner,
    limits: ['dev:keys', 'dev:keys_create'],
    errors: ['bad_request', 'keys_full'],
    body: keyBody,
    bodyLimit: 16_384,
    answer: createdKey,
    example: {
      body: { name: 'laptop', scopes: ['conversations:read', 'memories:read'] },
      answer: { ...example, key: `svc_dev_${'1a2b3c4d5e6f7a8b'.repeat(2)}` },
    },
    handle: async ({ caller, body }) => {
      const { record, key } = await createApiKey(sql, settings, { uid: caller.uid, ...body });
      return { ...keyView(record), key };
    },
  }),

  // Keys that are unknown or belong to another user get the same answer, so that it does not show whether a key exists.
  route({
    method: 'DELETE',
    url: '/v1/dev/keys/{key_id}',
    operationId: 'revokeApiKey',
    tag: 'API Keys',
    summary: 'Revoke a developer key at once',
    access: keyOwner,
    limits: ['dev:keys'],
    resource: { createdBy: 'createApiKey', parameter: 'key_id', foreign: 204 },
    path: keyPath,
    handle: async ({ caller, path }) => {
      await revokeApiKey(sql, caller.uid, path.key_id);
    },
  }),

  route({
    method: 'POST',
    url: '/v1/dev/keys/{key_id}/rotate',
    operationId: 'rotateApiKey',
    tag: 'API Keys',
    summary: 'Give a developer key a new secret',
    description: 'Its id, name and scopes stay. The old key is refused at once.',
    access: keyOwner,
    limits: ['dev:keys', 'dev:keys_create'],
    resource: { createdBy: 'createApiKey', parameter: 'key_id', foreign: 404 },
    errors: ['record_not_found'],
    path: keyPath,
    answer: createdKey,
    example: { answer: { ...example, key: `svc_dev_${'1a2b3c4d5e6f7a8b'.repeat(2)}` } },
    handle: async ({ caller, path }) => {
      const { record, key } = await rotateApiKey(sql, settings, caller.uid, path.key_id);
      return { ...keyView(record), key };
    },
  }),

  route({
    method: 'GET',
    url: '/v1/dev/key',
    operationId: 'getCallingApiKey',
    tag: 'API Keys',
    summary: 'The key that makes the request',
    access: developerKey(null),
    limits: ['dev:key_read'],
    answer: keyAnswer,
    example: { answer: example },
    handle: ({ caller }) => keyView(caller.key!),
  }),
];
