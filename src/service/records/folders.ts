import { v7 as uuidv7 } from 'uuid';
import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import {
  ensureSystemFolders,
  type FolderRow,
  folderRows,
  holdFolder,
  insertFolder,
  listFolderRows,
  lockFolders,
  orderFolders,
  removeFolder,
} from '../../store/records/index.js';
import {
  type ChangeOf,
  type CreationOf,
  changesOf,
  folderBounds,
  folderRecord,
  type ShownOf,
} from '../../wire/records/index.js';
import { createOnce, invalid, requireSome, systemFolders } from '../rules/index.js';
import { refusalsOf, shownForm, valuesOf } from './record-values.js';

export const folderColor = /^#[0-9A-Fa-f]{6}$/;

/** Absent values are not changed. null clears the description and resets color and icon to their defaults. */
export type FolderPatch = ChangeOf<typeof folderRecord>;

const values = valuesOf(folderRecord, {
  color: (given: string): string => {
    if (folderColor.test(given)) return given.toUpperCase();
    throw invalid('color must be a hex color code such as #6B7280', 'body.color');
  },
});
const { notFound, found } = refusalsOf(folderRecord);
const view = shownForm(folderRecord, 'developer');

export type Folder = ShownOf<typeof folderRecord>;

/** Returns a user's folders in order. Unlike `openFolders`, creates no system folders, so the list may be empty. */
export const listFolders = async (sql: Sql, uid: string): Promise<Folder[]> =>
  (await listFolderRows(sql, uid, folderBounds.folders)).map(view);

/** Returns a user's folders for the user's own applications. Creates missing system folders first. */
export const openFolders = async (sql: Sql, uid: string): Promise<Folder[]> => {
  await ensureSystemFolders(sql, uid, systemFolders);
  return listFolders(sql, uid);
};

/** Returns one of a user's folders. @throws CochleaError `record_not_found` */
export const getFolder = async (sql: Sql, uid: string, id: string): Promise<Folder> => {
  const [row] = await folderRows.byIds(sql, uid, [id]);
  return view(found(row));
};

/**
 * Creates a folder at the end of the list. Creates missing system folders first.
 * @param key a repetition with the same key creates nothing more.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
 */
export const createFolder = async (
  sql: Sql,
  uid: string,
  given: CreationOf<typeof folderRecord>,
  key?: string | null,
): Promise<Folder> => {
  const now = new Date();
  const row = { ...values.created(given), id: uuidv7(), created_at: now, updated_at: now };
  const [created] = await createOnce<FolderRow>(sql, {
    uid,
    operation: 'folders',
    key,
    given,
    make: async (transaction) => {
      await lockFolders(transaction, uid);
      await ensureSystemFolders(transaction, uid, systemFolders);
      const folder = await insertFolder(transaction, uid, row, folderBounds.folders);
      if (!folder) throw new CochleaError('records_full', { kind: 'folders', limit: folderBounds.folders });
      return [folder];
    },
    read: (ids) => folderRows.byIds(sql, uid, ids),
  });
  return view(created!);
};

/** Changes a folder. @throws CochleaError `validation_failed`, `record_not_found` */
export const updateFolder = async (
  sql: Sql,
  uid: string,
  id: string,
  patch: FolderPatch,
): Promise<Folder> => {
  requireSome(patch, changesOf(folderRecord));
  const changes = values.changed(patch);
  const row = (await sql.begin(async (transaction) => {
    found(await folderRows.lock(transaction, uid, id));
    return folderRows.change(transaction, id, { ...changes, updated_at: new Date() });
  })) as FolderRow;
  return view(row);
};

/**
 * Sets the order of a user's folders. Folders that are not named follow in their old order.
 * @throws CochleaError `validation_failed` if an id is repeated, `record_not_found` if an id is not the user's.
 */
export const reorderFolders = async (sql: Sql, uid: string, ids: readonly string[]): Promise<Folder[]> => {
  if (new Set(ids).size < ids.length) throw invalid('A folder id is repeated', 'body.folder_ids');
  await sql.begin(async (transaction) => {
    await lockFolders(transaction, uid);
    if ((await folderRows.byIds(transaction, uid, ids)).length < ids.length) throw notFound();
    await orderFolders(transaction, uid, ids);
  });
  return listFolders(sql, uid);
};

/**
 * Deletes a folder. Its conversations move to the target folder, or to no folder.
 * @throws CochleaError `record_not_found` for either folder, `bad_request` for a system folder.
 */
export const deleteFolder = async (
  sql: Sql,
  uid: string,
  id: string,
  target: string | null = null,
): Promise<void> => {
  if (target === id)
    throw invalid('Conversations cannot move to the deleted folder', 'query.move_to_folder_id');
  await sql.begin(async (transaction) => {
    await lockFolders(transaction, uid);
    const folder = found(await folderRows.lock(transaction, uid, id));
    if (folder.is_system) throw new CochleaError('bad_request', { why: 'System folders cannot be deleted' });
    if (target !== null && !(await holdFolder(transaction, uid, target))) throw notFound();
    await removeFolder(transaction, uid, id, target);
  });
};
