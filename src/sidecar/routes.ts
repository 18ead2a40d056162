import { RepeatedRequests } from '../service/index.js';
import { chatRoutes } from './chat/routes.js';
import { actionItemRoutes } from './dev/action-items.js';
import { askRoutes } from './dev/ask.js';
import { conversationRoutes } from './dev/conversations.js';
import { createConversationRoutes } from './dev/create-conversations.js';
import { folderRoutes } from './dev/folders.js';
import { goalRoutes } from './dev/goals.js';
import { memoryRoutes } from './dev/memories.js';
import { searchRoutes } from './dev/search.js';
import type { RouteContext } from './frame/context.js';
import type { Route } from './frame/route.js';
import { healthRoutes } from './health.js';
import { wellKnownRoutes } from './identity/well-known.js';
import { keyRoutes } from './keys/developer-keys.js';
import { mcpKeyRoutes } from './keys/tool-keys.js';
import { QuestionPlaces } from './limits/question-places.js';
import { grantRoutes } from './mcp/grants.js';
import { assistantProfileRoutes } from './mcp/profile.js';
import { assistantRestRoutes } from './mcp/rest.js';
import { toolServerRoutes } from './mcp/transport.js';
import { deletionRoutes } from './own/deletion.js';
import { ownFolderRoutes } from './own/folders.js';
import { peopleRoutes } from './own/people.js';
import { recordingRoutes } from './own/recordings.js';
import { ownRecordRoutes } from './own/records.js';
import { reprocessRoutes } from './own/reprocess.js';
import { sessionRoutes } from './own/sessions.js';
import { settingsRoutes } from './own/settings.js';
import { usageRoutes } from './own/usage.js';
import { photoRoutes } from './photos/list.js';
import { voiceRoutes } from './voice/routes.js';

/** Every route of the API. */
export const allRoutes = (context: RouteContext): readonly Route[] => {
  // Questions and messages of a chat cost the same, so they share their places.
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
    // Speech with a key may take minutes to arrive: what is written with it would keep a place of questions all that time.
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
