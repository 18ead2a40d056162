import { z } from 'zod';
import { publicAddress, type Settings } from '../../config/index.js';
import { conversationRoutes, searchRoutes } from '../dev/index.js';
import { describeConsole, type Route, type RouteContext, route } from '../frame/index.js';
import { keyRoutes, keyScopeRoute, mcpKeyRoutes } from '../keys/index.js';
import { ownFolderRoutes, peopleRoutes, recordingRoutes, settingsRoutes } from '../own/index.js';
import { photoRoutes } from '../photos/index.js';
import { browserRoutes } from './browsers.js';
import { dividedConversationRoutes } from './divided-conversations.js';
import { enteringRoutes } from './entering.js';
import { exportRoutes } from './exports.js';
import { importRoutes } from './imports.js';
import { liveRoutes } from './live.js';
import { manyConversationRoutes } from './many-conversations.js';
import { namedSpeakerRoutes } from './named-speakers.js';
import { segmentRoutes } from './segments.js';
import { sessionRoutes } from './session.js';
import { consoleReads, forConsole } from './shared-routes.js';

/** The console's address of each REST route that it offers, by the address in REST. */
const addresses = {
  '/v1/dev/user/conversations': '/console/api/conversations',
  '/v1/dev/user/conversations/vector/search': '/console/api/conversations/search',
  '/v1/dev/user/conversations/{id}': '/console/api/conversations/{id}',
  '/v1/dev/user/conversations/{id}/photos': '/console/api/conversations/{id}/photos',
  '/v1/dev/keys': '/console/api/keys/developer',
  '/v1/dev/keys/{key_id}': '/console/api/keys/developer/{key_id}',
  '/v1/mcp/keys': '/console/api/keys/mcp',
  '/v1/mcp/keys/{key_id}': '/console/api/keys/mcp/{key_id}',
  '/v1/folders': '/console/api/folders',
  '/v1/folders/order': '/console/api/folders/order',
  '/v1/folders/{id}': '/console/api/folders/{id}',
  '/v1/users/people': '/console/api/people',
  '/v1/users/people/{id}': '/console/api/people/{id}',
  '/v1/users/people/{id}/voice': '/console/api/people/{id}/voice',
  '/v1/users/settings': '/console/api/settings',
  '/v2/sync-local-files/{job_id}': '/console/api/imports/{job_id}',
} as const;

/** Returns the route that describes the routes of the console. */
const descriptionRoute = (routes: readonly Route[], settings: Settings): Route =>
  route({
    ...consoleReads,
    method: 'GET',
    url: '/console/api/openapi.json',
    operationId: 'consoleDescribe',
    tag: 'Console',
    summary: 'This description',
    answer: z.looseObject({ openapi: z.string() }),
    example: { answer: { openapi: '3.1.0' } },
    handle: () => describeConsole(routes, publicAddress(settings)) as { openapi: string },
  });

const describedRoutes = (context: RouteContext): readonly Route[] => [
  ...enteringRoutes(context),
  ...sessionRoutes(context),
  ...browserRoutes(context),
  ...liveRoutes(context),
  ...segmentRoutes(context),
  ...namedSpeakerRoutes(context),
  ...manyConversationRoutes(context),
  ...dividedConversationRoutes(context),
  ...exportRoutes(context),
  ...importRoutes(context),
  keyScopeRoute,
  ...forConsole(
    [
      ...conversationRoutes(context),
      ...searchRoutes(context),
      ...photoRoutes(context),
      ...peopleRoutes(context),
      ...ownFolderRoutes(context),
      ...settingsRoutes(context),
      ...recordingRoutes(context),
      ...keyRoutes(context),
      ...mcpKeyRoutes(context),
    ],
    addresses,
  ),
];

/** Returns every route of the console. They are no part of the public API, and have a description of their own. */
export const consoleRoutes = (context: RouteContext): readonly Route[] => {
  const routes = describedRoutes(context);
  return [...routes, descriptionRoute(routes, context.settings)];
};
