import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { folderRecord, type NewRowOf, type RowOf } from '../../wire/records/index.js';
import { hasRows, lockForUser, type Sql, type TransactionSql } from '../client/index.js';
import { columnsOf, recordRows } from './record-rows.js';

/** SQL expression: the number of a folder's conversations that are not discarded. */
const conversationCount = `(
  select count(*)::integer from conversations c
  where c.folder_id = folders.id and not c.discarded and c.deleted_at is null)`;

/** A folder with the number of its conversations that are not discarded. */
export type FolderRow = RowOf<typeof folderRecord>;

const queries = { conversation_count: conversationCount };
export const folderRows = recordRows(folderRecord, { queries });
const { selected } = columnsOf(folderRecord, queries);

/** A folder that every user has. */
export interface SystemFolder {
  readonly name: string;
  readonly description: string;
  readonly color: string;
  readonly icon: string;
  /** Group of categories. Conversations with a category of this group are filed in the folder. */
  readonly category_mapping: string;
}

/**
 * Makes the system folders of a user unless they exist. Also with concurrent transactions, each folder is made only
 * once. Does nothing for a user without an account.
 */
export const ensureSystemFolders = async (
  sql: Sql | TransactionSql,
  uid: string,
  folders: readonly SystemFolder[],
): Promise<void> => {
  const rows = folders.map((folder, position) => ({ ...folder, id: uuidv7(), position }));
  await sql`
    insert into folders (id, uid, name, description, color, icon, position, is_system, category_mapping, created_at, updated_at)
    select made.id, users.uid, made.name, made.description, made.color, made.icon, made.position, true, made.category_mapping,
      now(), now()
    from jsonb_to_recordset(${sql.json(rows as never)}) as made
      (id uuid, name text, description text, color text, icon text, position integer, category_mapping text)
    join users on users.uid = ${uid}
    where not exists (select 1 from folders where uid = ${uid} and is_system)
    order by made.category_mapping
    on conflict (uid, category_mapping) where is_system do nothing`;
};

/** Reads a user's folders in the user's order. */
export const listFolderRows = (sql: Sql, uid: string, limit: number): Promise<FolderRow[]> =>
  sql<FolderRow[]>`
    select ${sql.unsafe(selected)} from folders where uid = ${uid}
    order by position, created_at, id limit ${limit}`;

/** Serializes transactions that add or order a user's folders. */
export const lockFolders = (sql: TransactionSql, uid: string): Promise<void> =>
  lockForUser(sql, 'folders', uid);

/** Adds a folder at the end. Needs `lockFolders`. @returns null when the user already has `most` folders */
export const insertFolder = async (
  sql: TransactionSql,
  uid: string,
  folder: Omit<NewRowOf<typeof folderRecord>, 'position'>,
  most: number,
): Promise<FolderRow | null> => {
  const [held] = await sql<{ count: number; next: number }[]>`
    select count(*)::integer as count, coalesce(max(position) + 1, 0)::integer as next from folders where uid = ${uid}`;
  if (held!.count >= most) return null;
  const [row] = await sql<FolderRow[]>`
    insert into folders ${sql({ ...folder, uid, position: held!.next } as never)} returning ${sql.unsafe(selected)}`;
  return row!;
};

/**
 * Keeps one of a user's folders from being deleted until the transaction ends. Conversations can still be assigned to
 * the folder.
 * @returns whether the folder exists
 */
export const holdFolder = async (sql: TransactionSql, uid: string, id: string): Promise<boolean> => {
  if (!isUuid(id)) return false;
  return hasRows(sql`select 1 from folders where id = ${id} and uid = ${uid} for key share`);
};

/**
 * Sorts a user's folders in the order of `ids`. Folders that are not in `ids` follow in their earlier order. Needs
 * `lockFolders`.
 */
export const orderFolders = async (
  sql: TransactionSql,
  uid: string,
  ids: readonly string[],
): Promise<void> => {
  await sql`
    update folders set position = placed.place, updated_at = now()
    from (
      select f.id, (row_number() over (order by named.place, f.position, f.created_at, f.id) - 1)::integer as place
      from folders f left join unnest(${ids.filter(isUuid)}::uuid[]) with ordinality as named (id, place) on named.id = f.id
      where f.uid = ${uid}
    ) as placed
    where folders.id = placed.id and folders.position <> placed.place`;
};

/**
 * Deletes a folder that this transaction has locked. Its conversations move to the folder `target`, or to no folder
 * when `target` is null.
 */
export const removeFolder = async (
  sql: TransactionSql,
  uid: string,
  id: string,
  target: string | null,
): Promise<void> => {
  await sql`update conversations set folder_id = ${target}, updated_at = now() where folder_id = ${id} and uid = ${uid}`;
  await sql`delete from folders where id = ${id}`;
};

/**
 * Moves a conversation from the folder `instead` (null: no folder) to the folder `folderId` of the same user. Does
 * nothing when the conversation is no longer in `instead`, or when the folder `folderId` was deleted.
 */
export const assignFolder = async (
  sql: TransactionSql,
  uid: string,
  {
    conversationId,
    folderId,
    instead,
  }: { readonly conversationId: string; readonly folderId: string; readonly instead: string | null },
): Promise<void> => {
  if (!(await holdFolder(sql, uid, folderId))) return;
  await sql`
    update conversations set folder_id = ${folderId}, updated_at = now()
    where id = ${conversationId} and uid = ${uid} and deleted_at is null
      and folder_id is not distinct from ${instead}::uuid`;
};
