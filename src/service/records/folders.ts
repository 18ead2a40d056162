import { v7 as uuidv7 } from 'uuid';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { isoUtc } from '../../store/record/index.js';
import {
  type CountedFolderRow,
  changeFolder,
  ensureSystemFolders,
  type FolderRow,
  foldersById,
  insertFolder,
  listFolderRows,
  lockFolder,
  lockFolders,
  orderFolders,
  removeFolder,
} from '../../store/records/index.js';
import { folderBounds } from '../../wire/records/index.js';
import {
  createOnce,
  invalid,
  optionalText,
  present,
  requiredText,
  requireSome,
  systemFolders,
} from '../rules/index.js';

export const folderColor = /^#[0-9A-Fa-f]{6}$/;
const customColor = '#6B7280';
const customIcon = '📁';

export interface NewFolder {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly icon?: string | null | undefined;
}

/** Absent values are not changed; null clears the description and gives color and icon their defaults. */
export interface FolderPatch {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly icon?: string | null | undefined;
  readonly order?: number | undefined;
}

const view = (row: CountedFolderRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  color: row.color,
  icon: row.icon,
  created_at: isoUtc(row.created_at),
  updated_at: isoUtc(row.updated_at),
  order: row.position,
  is_default: row.is_default,
  is_system: row.is_system,
  category_mapping: row.category_mapping,
  conversation_count: row.conversation_count,
});

export type Folder = ReturnType<typeof view>;

const notFound = (): CochleaError => new CochleaError('record_not_found', { kind: 'Folder' });

const colorOf = (given: string | null | undefined): string => {
  if (given === null || given === undefined) return customColor;
  if (folderColor.test(given)) return given.toUpperCase();
  throw invalid('color must be a hex color code such as #6B7280', 'body.color');
};

const iconOf = (given: string | null | undefined): string =>
  optionalText('icon', given, folderBounds.icon) ?? customIcon;

/** A user's folders in their order. Makes none: the list is empty until something else has made the system folders. */
export const listFolders = async (sql: Sql, uid: string): Promise<Folder[]> =>
  (await listFolderRows(sql, uid, folderBounds.folders)).map(view);

/** As `listFolders`, for the own applications of a user: the system folders are made first. */
export const openFolders = async (sql: Sql, uid: string): Promise<Folder[]> => {
  await ensureSystemFolders(sql, uid, systemFolders);
  return listFolders(sql, uid);
};

/** One of a user's folders. @throws CochleaError `record_not_found` */
export const getFolder = async (sql: Sql, uid: string, id: string): Promise<Folder> => {
  const [row] = await foldersById(sql, uid, [id]);
  if (!row) throw notFound();
  return view(row);
};

/**
 * Creates a folder behind the others; the system folders are made first.
 * @param key repeats with the same key create nothing more.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
 */
export const createFolder = async (
  sql: Sql,
  uid: string,
  given: NewFolder,
  key?: string | null,
): Promise<Folder> => {
  const now = new Date();
  const row: Omit<FolderRow, 'position'> = {
    id: uuidv7(),
    name: requiredText('name', given.name, folderBounds.name),
    description: optionalText('description', given.description, folderBounds.description),
    color: colorOf(given.color),
    icon: iconOf(given.icon),
    is_default: false,
    is_system: false,
    category_mapping: null,
    created_at: now,
    updated_at: now,
  };
  const [created] = await createOnce<CountedFolderRow>(sql, {
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
    read: (ids) => foldersById(sql, uid, ids),
  });
  return view(created!);
};

const lockedFor = async (sql: TransactionSql, uid: string, id: string): Promise<FolderRow> => {
  const row = await lockFolder(sql, uid, id, 'change');
  if (!row) throw notFound();
  return row;
};

/** Changes a folder. @throws CochleaError `validation_failed`, `record_not_found` */
export const updateFolder = async (
  sql: Sql,
  uid: string,
  id: string,
  patch: FolderPatch,
): Promise<Folder> => {
  requireSome(patch, 'name, description, color, icon, or order');
  const changes = present({
    name: patch.name === undefined ? undefined : requiredText('name', patch.name, folderBounds.name),
    description:
      patch.description === undefined
        ? undefined
        : optionalText('description', patch.description, folderBounds.description),
    color: patch.color === undefined ? undefined : colorOf(patch.color),
    icon: patch.icon === undefined ? undefined : iconOf(patch.icon),
    position: patch.order,
  });
  const row = (await sql.begin(async (transaction) => {
    await lockedFor(transaction, uid, id);
    await changeFolder(transaction, id, changes);
    return (await foldersById(transaction, uid, [id]))[0];
  })) as CountedFolderRow;
  return view(row);
};

/**
 * Puts a user's folders in an order; those that are not named follow in the order they had.
 * @throws CochleaError `validation_failed` when an id comes twice, `record_not_found` when one is not the user's.
 */
export const reorderFolders = async (sql: Sql, uid: string, ids: readonly string[]): Promise<Folder[]> => {
  if (new Set(ids).size < ids.length) throw invalid('A folder is named twice', 'body.folder_ids');
  await sql.begin(async (transaction) => {
    await lockFolders(transaction, uid);
    if ((await foldersById(transaction, uid, ids)).length < ids.length) throw notFound();
    await orderFolders(transaction, uid, ids);
  });
  return listFolders(sql, uid);
};

/**
 * Deletes a folder. Its conversations go to another one, or to none.
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
    const folder = await lockedFor(transaction, uid, id);
    if (folder.is_system) throw new CochleaError('bad_request', { why: 'System folders cannot be deleted' });
    if (target !== null && !(await lockFolder(transaction, uid, target, 'use'))) throw notFound();
    await removeFolder(transaction, uid, id, target);
  });
};
