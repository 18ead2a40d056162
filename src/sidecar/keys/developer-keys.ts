import { developerKey } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { keyView, managedKeyRoutes, managedKeys } from './managed-keys.js';

const developerKeys = managedKeys('dev', {
  url: '/v1/dev/keys',
  schema: 'DeveloperApiKey',
  operation: 'ApiKey',
  tag: 'API Keys',
  word: 'a developer key',
  plural: 'developer keys',
  policy: 'dev:keys',
  creationPolicy: 'dev:keys_create',
  exampleScopes: ['conversations:read', 'memories:read'],
});

/** Returns the routes for signed-in users to manage developer keys, and for a key to read its own record. */
export const keyRoutes = (context: RouteContext): readonly Route[] => [
  ...managedKeyRoutes(developerKeys, context),

  route({
    method: 'GET',
    url: '/v1/dev/key',
    operationId: 'getCallingApiKey',
    tag: 'API Keys',
    summary: 'The key that makes the request',
    access: developerKey(null),
    limits: ['dev:key_read'],
    answer: developerKeys.answer,
    example: { answer: developerKeys.example },
    handle: ({ caller }) => keyView(caller.key!),
  }),
];
