import { RepeatedRequests } from '../service/chat/index.js';
import { chatRoutes } from './chat/index.js';
import {
  actionItemRoutes,
  askRoutes,
  conversationRoutes,
  createConversationRoutes,
  folderRoutes,
  goalRoutes,
  memoryRoutes,
  searchRoutes,
} from './dev/index.js';
import type { Route, RouteContext } from './frame/index.js';
import { healthRoutes } from './health.js';
import { wellKnownRoutes } from './identity/index.js';
import { keyRoutes, mcpKeyRoutes } from './keys/index.js';
import { QuestionPlaces } from './limits/index.js';
import { assistantProfileRoutes, assistantRestRoutes, grantRoutes, toolServerRoutes } from './mcp/index.js';
import {
  deletionRoutes,
  ownFolderRoutes,
  ownRecordRoutes,
  peopleRoutes,
  recordingRoutes,
  reprocessRoutes,
  sessionRoutes,
  settingsRoutes,
  usageRoutes,
} from './own/index.js';
import { photoRoutes } from './photos/index.js';
import { voiceRoutes } from './voice/index.js';

/** Returns every route of the API. */
export const allRoutes = (context: RouteContext): readonly Route[] => {
  // Questions and chat messages cost the same, so they share one concurrency limit.
  const questions = new QuestionPlaces();
  return [
    ...keyRoutes(context),
    ...searchRoutes(context),
    ...askRoutes(context, questions),
    ...chatRoutes(context, questions, new RepeatedRequests()),
    ...memoryRoutes(context),
    ...actionItemRoutes(context),
    ...createConversationRoutes(context),
    ...conversationRoutes(context),
    ...photoRoutes(context),
    ...reprocessRoutes(context),
    ...folderRoutes(context),
    ...goalRoutes(context),
    ...ownFolderRoutes(context),
    ...peopleRoutes(context),
    ...settingsRoutes(context),
    ...usageRoutes(context),
    ...ownRecordRoutes(context),
    ...recordingRoutes(context),
    // Voice messages have a separate limit. A voice message with a key may take minutes to arrive, and would occupy a
    // question's slot meanwhile.
    ...voiceRoutes(context, new RepeatedRequests()),
    ...sessionRoutes(context),
    ...deletionRoutes(context),
    ...mcpKeyRoutes(context),
    ...grantRoutes(context),
    ...toolServerRoutes(context),
    ...assistantProfileRoutes(context),
    ...assistantRestRoutes(context),
    ...healthRoutes(context),
    ...wellKnownRoutes(context),
  ];
};
