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
import { folderBounds } from '../../wire/records/index.js';
import { firstParty } from '../access/index.js';
import { deletion, type Route, type RouteContext, route } from '../frame/index.js';
import {
  changeOf,
  creationKey,
  exampleFolder,
  folderAnswer,
  idempotencyHeaders,
  idPath,
  integer,
  sessionField,
  trimmed,
} from '../schemas/index.js';

const name = trimmed(1, folderBounds.name);
const optional = {
  description: trimmed(0, folderBounds.description).nullish(),
  color: z.string().regex(folderColor, 'Input should be a hex color code such as #6B7280').nullish(),
  icon: trimmed(0, folderBounds.icon).nullish(),
};

const newFolder = z.object({ name, ...optional, ...sessionField });
const folderPatch = changeOf(
  { name: name.optional(), ...optional, order: integer.optional() },
  'name, description, color, icon, or order',
);
const orderBody = z.object({ folder_ids: z.array(z.string()).max(folderBounds.folders) });
const deletionQuery = z.object({
  move_to_folder_id: trimmed(1, 200)
    .optional()
    .meta({ description: 'Folder that gets the conversations; none when absent.' }),
});

const own = {
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
const resource = { createdBy: 'createFolder', foreign: 404 } as const;

const listOwnFoldersRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/folders',
    operationId: 'listOwnFolders',
    tag: 'Folders',
    summary: 'Folders in their order; the system folders are made first',
    access: firstParty,
    limits: ['own:read'],
    answer: z.array(folderAnswer),
    example: { answer: [exampleFolder] },
    handle: ({ caller }) => openFolders(sql, caller.uid),
  });

const createFolderRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'POST',
    url: '/v1/folders',
    operationId: 'createFolder',
    tag: 'Folders',
    summary: 'Create a folder',
    access: firstParty,
    limits: ['own:write'],
    errors: ['records_full', 'idempotency_conflict', 'idempotency_gone'],
    headers: idempotencyHeaders,
    body: newFolder,
    answer: folderAnswer,
    example: { body: { name: 'Trips' }, answer: own },
    handle: ({ caller, headers, body: { client_session_id, ...folder } }) =>
      createFolder(sql, caller.uid, folder, creationKey(headers, { client_session_id })),
  });

const reorderFoldersRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'PUT',
    url: '/v1/folders/order',
    operationId: 'reorderFolders',
    tag: 'Folders',
    summary: 'Put folders in an order; those that are not named follow in the order they had',
    access: firstParty,
    limits: ['own:write'],
    errors: ['record_not_found'],
    body: orderBody,
    answer: z.array(folderAnswer),
    example: { body: { folder_ids: [] }, answer: [exampleFolder] },
    handle: ({ caller, body }) => reorderFolders(sql, caller.uid, body.folder_ids),
  });

const getFolderRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/folders/{id}',
    operationId: 'getFolder',
    tag: 'Folders',
    summary: 'One folder',
    access: firstParty,
    limits: ['own:read'],
    errors: ['record_not_found'],
    resource,
    path: idPath,
    answer: folderAnswer,
    example: { answer: own },
    handle: ({ caller, path }) => getFolder(sql, caller.uid, path.id),
  });

const updateFolderRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'PATCH',
    url: '/v1/folders/{id}',
    operationId: 'updateFolder',
    tag: 'Folders',
    summary: 'Change a folder; absent fields stay as they are, null gives the default',
    access: firstParty,
    limits: ['own:write'],
    errors: ['record_not_found'],
    resource,
    path: idPath,
    body: folderPatch,
    answer: folderAnswer,
    example: { body: { name: 'Journeys' }, answer: { ...own, name: 'Journeys' } },
    handle: ({ caller, path, body: patch }) => updateFolder(sql, caller.uid, path.id, patch),
  });

const deleteFolderRoute = ({ sql }: RouteContext): Route =>
  deletion({
    url: '/v1/folders/{id}',
    operationId: 'deleteFolder',
    tag: 'Folders',
    summary: 'Delete a folder; its conversations stay',
    access: firstParty,
    limits: ['own:write'],
    errors: ['record_not_found', 'bad_request'],
    resource,
    query: deletionQuery,
    remove: ({ caller, path, query }) => deleteFolder(sql, caller.uid, path.id, query.move_to_folder_id),
  });

/** Folders for the own applications of a user. */
export const ownFolderRoutes = (context: RouteContext): readonly Route[] => [
  listOwnFoldersRoute(context),
  createFolderRoute(context),
  reorderFoldersRoute(context),
  getFolderRoute(context),
  updateFolderRoute(context),
  deleteFolderRoute(context),
];
