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
import { type Route, type RouteContext, resourceRoutes, route } from '../frame/index.js';
import {
  changeBody,
  creationShape,
  exampleFolder,
  folderAnswer,
  sessionField,
  trimmed,
} from '../schemas/index.js';
import { ownData } from './own-data.js';

const color = z.string().regex(folderColor, 'Input should be a hex color code such as #6B7280');
const newFolder = z.object({ ...creationShape(folderRecord, { color }), ...sessionField });
const folderPatch = changeBody(folderRecord, { color });
const orderBody = z.object({ folder_ids: z.array(z.string()).max(folderBounds.folders) });
const deletionQuery = z.object({
  move_to_folder_id: trimmed(1, 200)
    .optional()
    .meta({ description: 'Folder that gets the conversations; none when absent.' }),
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
const folders = resourceRoutes({
  ...ownData,
  tag: 'Folders',
  url: '/v1/folders',
  one: 'Folder',
  answer: folderAnswer,
  example,
});

/** Folders for the own applications of a user. */
export const ownFolderRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...folders.reading,
    method: 'GET',
    operationId: 'listOwnFolders',
    summary: 'Folders in their order; the system folders are made first',
    answer: z.array(folderAnswer),
    example: { answer: [exampleFolder] },
    handle: ({ caller }) => openFolders(sql, caller.uid),
  }),

  folders.create({
    summary: 'Create a folder',
    body: newFolder,
    example: { body: { name: 'Trips' } },
    create: (uid, folder, key) => createFolder(sql, uid, folder, key),
  }),

  route({
    ...folders.writing,
    method: 'PUT',
    url: '/v1/folders/order',
    operationId: 'reorderFolders',
    summary: 'Put folders in an order; those that are not named follow in the order they had',
    errors: ['record_not_found'],
    body: orderBody,
    answer: z.array(folderAnswer),
    example: { body: { folder_ids: [] }, answer: [exampleFolder] },
    handle: ({ caller, body }) => reorderFolders(sql, caller.uid, body.folder_ids),
  }),

  folders.get('One folder', (uid, id) => getFolder(sql, uid, id)),

  folders.update({
    summary: 'Change a folder; absent fields stay as they are, null gives the default',
    body: folderPatch,
    example: { body: { name: 'Journeys' }, answer: { ...example, name: 'Journeys' } },
    update: (uid, id, patch) => updateFolder(sql, uid, id, patch),
  }),

  folders.remove({
    summary: 'Delete a folder; its conversations stay',
    errors: ['bad_request'],
    query: deletionQuery,
    remove: (uid, id, query) => deleteFolder(sql, uid, id, query.move_to_folder_id),
  }),
];
