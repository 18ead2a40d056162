import { z } from 'zod';
import {
  createFolder,
  deleteFolder,
  folderColor,
  getFolder,
  openFolders,
  reorderFolders,
  updateFolder,
} from '../../service/records/index.js';
import { folderBounds, folderRecord } from '../../wire/records/index.js';
import { ownData } from '../access/index.js';
import { deletion, type Route, type RouteContext, recordHeads, route } from '../frame/index.js';
import {
  changeBody,
  creationKey,
  creationShape,
  exampleFolder,
  folderAnswer,
  sessionField,
  trimmed,
} from '../schemas/index.js';

const color = z.string().regex(folderColor, 'Input should be a hex color code such as #6B7280');
const newFolder = z.object({ ...creationShape(folderRecord, { color }), ...sessionField });
const folderPatch = changeBody(folderRecord, { color });
const orderBody = z.object({ folder_ids: z.array(z.string()).max(folderBounds.folders) });
const deletionQuery = z.object({
  move_to_folder_id: trimmed(1, 200)
    .optional()
    .meta({ description: 'Folder to which the conversations move. Default: none.' }),
});

const example = {
  ...exampleFolder,
  name: 'Trips',
  description: null,
  color: '#6B7280',
  icon: '📁',
  order: 3,
  is_system: false,
  category_mapping: null,
  conversation_count: 0,
};
const heads = recordHeads({
  ...ownData,
  tag: 'Folders',
  url: '/v1/folders',
  one: 'Folder',
  many: 'OwnFolders',
  answer: folderAnswer,
});

/** Returns the routes with which a user's own applications manage folders. */
export const ownFolderRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...heads.list,
    summary: 'Folders in their order; the system folders are made first',
    answerHeaders: {},
    example: { answer: [exampleFolder] },
    handle: ({ caller }) => openFolders(sql, caller.uid),
  }),

  route({
    ...heads.create,
    summary: 'Create a folder',
    body: newFolder,
    example: { body: { name: 'Trips' }, answer: example },
    handle: ({ caller, headers, body: { client_session_id, ...folder } }) =>
      createFolder(sql, caller.uid, folder, creationKey(headers, { client_session_id })),
  }),

  route({
    ...ownData.write,
    method: 'PUT',
    url: '/v1/folders/order',
    operationId: 'reorderFolders',
    tag: 'Folders',
    summary: 'Order folders. Folders that are not named follow in their old order',
    errors: ['record_not_found'],
    body: orderBody,
    answer: z.array(folderAnswer),
    example: { body: { folder_ids: [] }, answer: [exampleFolder] },
    handle: ({ caller, body }) => reorderFolders(sql, caller.uid, body.folder_ids),
  }),

  route({
    ...heads.get,
    summary: 'One folder',
    example: { answer: example },
    handle: ({ caller, path }) => getFolder(sql, caller.uid, path.id),
  }),

  route({
    ...heads.update,
    summary: 'Change a folder. Absent fields are not changed; null resets to the default',
    body: folderPatch,
    example: { body: { name: 'Journeys' }, answer: { ...example, name: 'Journeys' } },
    handle: ({ caller, path, body: patch }) => updateFolder(sql, caller.uid, path.id, patch),
  }),

  deletion({
    ...heads.remove,
    summary: 'Delete a folder; its conversations stay',
    errors: ['record_not_found', 'bad_request'],
    query: deletionQuery,
    remove: ({ caller, path, query }) => deleteFolder(sql, caller.uid, path.id, query.move_to_folder_id),
  }),
];
