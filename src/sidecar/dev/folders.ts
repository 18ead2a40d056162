import { z } from 'zod';
import { listFolders } from '../../service/records/index.js';
import { developerKey } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { exampleFolder, folderAnswer } from '../schemas/index.js';

/** Returns the routes of the developer API for folders, which are read-only there. */
export const folderRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    method: 'GET',
    url: '/v1/dev/user/folders',
    operationId: 'listFolders',
    tag: 'Folders',
    summary: 'Folders in their order',
    description:
      'Empty until the first conversation, or an application of the user, creates the system folders.',
    access: developerKey('conversations:read'),
    limits: ['dev:conversations_read'],
    answer: z.array(folderAnswer),
    example: { answer: [exampleFolder] },
    handle: ({ caller }) => listFolders(sql, caller.uid),
  }),
];
