import type { RouteContext } from './context.js';
import { conversationRoutes } from './dev/conversations.js';
import { keyRoutes } from './dev/keys.js';
import type { Route } from './frame/route.js';
import { healthRoutes } from './health.js';
import { wellKnownRoutes } from './identity/well-known.js';

/** Every route of the API. */
export const allRoutes = (context: RouteContext): readonly Route[] => [
  ...keyRoutes(context),
  ...conversationRoutes(context),
  ...healthRoutes(context),
  ...wellKnownRoutes(context),
];
