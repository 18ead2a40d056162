import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { inOrder, lockForUser, type Sql, type TransactionSql, uuidsOf } from '../client/index.js';

export interface FolderRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  readonly icon: string;
  readonly position: number;
  readonly is_default: boolean;
  readonly is_system: boolean;
  readonly category_mapping: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A folder with the number of its conversations that are not discarded. */
export interface CountedFolderRow extends FolderRow {
  readonly conversation_count: number;
}

const columns = `id, name, description, color, icon, position, is_default, is_system, category_mapping, created_at, updated_at`;

const counted = `${columns}, (
  select count(*)::integer from conversations c
  where c.folder_id = f.id and not c.discarded and c.deleted_at is null) as conversation_count`;

/** A folder that every user has. */
export interface SystemFolder {
  readonly name: string;
  readonly description: string;
  readonly color: string;
  readonly icon: string;
  /** Name of the group of categories whose conversations belong into it. */
  readonly category_mapping: string;
}

/**
 * Makes the system folders of a user unless they exist. Several transactions may do it at once: each folder is made once.
 * Does nothing for a user without an account.
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

/** A user's folders in their order. */
export const listFolderRows = (sql: Sql, uid: string, limit: number): Promise<CountedFolderRow[]> =>
  sql<CountedFolderRow[]>`
    select ${sql.unsafe(counted)} from folders f where uid = ${uid}
    order by position, created_at, id limit ${limit}`;

/** Those of these folders that belong to the user, in the order of `ids`. */
export const foldersById = async (
  sql: Sql | TransactionSql,
  uid: string,
  ids: readonly string[],
): Promise<CountedFolderRow[]> => {
  const known = uuidsOf(ids);
  const rows = await sql<CountedFolderRow[]>`
    select ${sql.unsafe(counted)} from folders f where id = any(${known}) and uid = ${uid}`;
  return inOrder(rows, known);
};

/** Lets only one transaction at a time add folders to a user or order them. */
export const lockFolders = (sql: TransactionSql, uid: string): Promise<void> =>
  lockForUser(sql, 'folders', uid);

/** Adds a folder behind the others. Needs `lockFolders`. @returns null when the user already has `most` folders. */
export const insertFolder = async (
  sql: TransactionSql,
  uid: string,
  folder: Omit<FolderRow, 'position'>,
  most: number,
): Promise<CountedFolderRow | null> => {
  const [held] = await sql<{ count: number; next: number }[]>`
    select count(*)::integer as count, coalesce(max(position) + 1, 0)::integer as next from folders where uid = ${uid}`;
  if (held!.count >= most) return null;
  const [row] = await sql<FolderRow[]>`
    insert into folders ${sql({ ...folder, uid, position: held!.next } as never)} returning ${sql.unsafe(columns)}`;
  return { ...row!, conversation_count: 0 };
};

/**
 * Locks one of a user's folders until the transaction ends; null when there is none.
 * @param strength `use` lets other transactions assign conversations to it meanwhile.
 */
export const lockFolder = async (
  sql: TransactionSql,
  uid: string,
  id: string,
  strength: 'use' | 'change',
): Promise<FolderRow | null> => {
  if (!isUuid(id)) return null;
  const [row] = await sql<FolderRow[]>`
    select ${sql.unsafe(columns)} from folders where id = ${id} and uid = ${uid}
    ${strength === 'use' ? sql`for key share` : sql`for update`}`;
  return row ?? null;
};

export type FolderChanges = Partial<Pick<FolderRow, 'name' | 'description' | 'color' | 'icon' | 'position'>>;

/** Changes a folder that this transaction has locked. */
export const changeFolder = async (
  sql: TransactionSql,
  id: string,
  changes: FolderChanges,
): Promise<void> => {
  await sql`update folders set ${sql({ ...changes, updated_at: new Date() } as never)} where id = ${id}`;
};

/** Gives the folders of a user their places in the order of `ids`; the others follow in the order they had. Needs `lockFolders`. */
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

/** Moves the conversations of a folder that this transaction has locked, and deletes it. */
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
 * Files a conversation in a folder of the same user, unless it lies in another one than `instead` by now. Does nothing when the
 * folder is gone.
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
  if (!(await lockFolder(sql, uid, folderId, 'use'))) return;
  await sql`
    update conversations set folder_id = ${folderId}, updated_at = now()
    where id = ${conversationId} and uid = ${uid} and deleted_at is null
      and folder_id is not distinct from ${instead}::uuid`;
};
