import { validate as isUuid } from 'uuid';
import { firstRow, type Sql } from '../client/index.js';
import { timestamp } from '../live/index.js';

/** A photo whose file is completely written. */
export interface NewPhoto {
  readonly id: string;
  readonly place: string;
  readonly file: string;
  readonly contentType: string;
  readonly bytes: number;
}

export interface PhotoBounds {
  /** Maximum number of photos in a conversation. */
  readonly conversation: number;
  /** Maximum number of bytes of a user's photos. */
  readonly user: number;
  /** Maximum number of bytes of all photos. */
  readonly total: number;
}

/** `fenced`: the lease is no longer valid. `full`: a limit is reached. Neither stores anything. */
export type PhotoStored = 'stored' | 'fenced' | 'full';

/**
 * Stores a photo of a conversation in progress. Locks the conversation's row first. If another transaction ends the
 * conversation at the same time, it either sees the photo, or this call returns `fenced`.
 * @param seenAt wall clock (ms). The photo counts as activity: the conversation's timeout runs from this time.
 */
export const storePhoto = (
  sql: Sql,
  lease: { readonly id: string; readonly epoch: number },
  photo: NewPhoto,
  bounds: PhotoBounds,
  seenAt: number,
): Promise<PhotoStored> =>
  sql.begin(async (transaction) => {
    const [held] = await transaction<{ uid: string }[]>`
      select uid from conversations
      where id = ${lease.id} and epoch = ${lease.epoch} and status = 'in_progress' and deleted_at is null for update`;
    if (held === undefined) return 'fenced';
    const { uid } = held;
    // Transactions that add photos of a user in different conversations wait for each other here, so that each counts
    // all photos.
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`photos ${uid}`}, 0))`;
    const [taken] = await transaction<{ photos: number; bytes: number }[]>`
      select (select count(*)::integer from photos where conversation_id = ${lease.id}) as photos,
        (select coalesce(sum(bytes), 0)::double precision from photos where uid = ${uid}) as bytes`;
    if (taken!.photos >= bounds.conversation || taken!.bytes + photo.bytes > bounds.user) return 'full';
    const space = await transaction`
      update photo_space set bytes = bytes + ${photo.bytes} where bytes + ${photo.bytes} <= ${bounds.total} returning 1 as taken`;
    if (space.length === 0) return 'full';
    const inserted = await transaction`
      insert into photos (id, conversation_id, uid, place, file, content_type, bytes)
      values (${photo.id}, ${lease.id}, ${uid}, ${photo.place}, ${photo.file}, ${photo.contentType}, ${photo.bytes}) returning id`;
    // The account is being deleted, so the database refused the row.
    if (inserted.length === 0) {
      await transaction`update photo_space set bytes = bytes - ${photo.bytes}`;
      return 'full';
    }
    await transaction`
      update conversations set revision = revision + 1, updated_at = now(),
        last_speech_at = greatest(last_speech_at, ${timestamp(transaction, seenAt)})
      where id = ${lease.id}`;
    return 'stored';
  }) as Promise<PhotoStored>;

/** A photo as the API returns it. */
export interface PhotoRow {
  readonly id: string;
  readonly created_at: Date;
  readonly content_type: string;
  readonly bytes: number;
  /** The description; null until a description is stored. */
  readonly description: string | null;
  /** Whether the photo shows nothing worth describing. */
  readonly discarded: boolean;
}

/** Reads the photos of a user's conversation, oldest first. Null when the user has no such conversation. */
export const photosOf = async (sql: Sql, uid: string, id: string): Promise<PhotoRow[] | null> => {
  if (!isUuid(id)) return null;
  const rows = await sql<(PhotoRow | { id: null })[]>`
    select p.id, p.created_at, p.content_type, p.bytes::double precision as bytes, p.description, p.discarded
    from conversations c left join photos p on p.conversation_id = c.id
    where c.id = ${id} and c.uid = ${uid} and c.deleted_at is null and not c.is_locked order by p.created_at, p.id`;
  return rows.length === 0 ? null : rows.filter((row): row is PhotoRow => row.id !== null);
};

/** The file of a photo. */
export interface PhotoFile {
  readonly uid: string;
  readonly place: string;
  readonly file: string;
  readonly content_type: string;
  readonly bytes: number;
}

/** Reads where the file of a photo is stored. Null when there is no such photo, or when its account is being deleted. */
export const photoFile = (sql: Sql, id: string): Promise<PhotoFile | null> =>
  firstRow(sql<PhotoFile[]>`
    select p.uid, p.place, p.file, p.content_type, p.bytes::double precision as bytes from photos p join conversations c on c.id = p.conversation_id
    where p.id = ${id} and c.deleted_at is null
      and not exists (select from users u where u.uid = p.uid and u.deleting_at is not null)`);

/** Returns files at a storage location (`place`) that must be removed because their rows are deleted. */
export const photoRemovals = async (sql: Sql, place: string, limit: number): Promise<string[]> => {
  const rows = await sql<{ file: string }[]>`
    select file from photo_removals where place = ${place} order by deleted_at limit ${limit}`;
  return rows.map(({ file }) => file);
};

/** Records that these files are removed, and frees their space. */
export const photosRemoved = async (sql: Sql, files: readonly string[]): Promise<void> => {
  await sql`
    with removed as (delete from photo_removals where file = any(${files as string[]}) returning bytes)
    update photo_space set bytes = photo_space.bytes - (select coalesce(sum(removed.bytes), 0) from removed)`;
};

/**
 * Changes the storage location of these files to `place`, because the files were found there.
 * @param photos ids and files.
 */
export const adoptPhotos = async (
  sql: Sql,
  place: string,
  photos: readonly { readonly id: string; readonly name: string }[],
): Promise<void> => {
  if (photos.length === 0) return;
  await sql`
    update photos set place = ${place} where id = any(${photos.map(({ id }) => id)}::uuid[]) and place <> ${place}`;
  await sql`
    update photo_removals set place = ${place}
    where file = any(${photos.map(({ name }) => name)}::text[]) and place <> ${place}`;
};

/** Returns the photos among `ids` that have no row. @param ids UUIDs */
export const unknownPhotos = async (sql: Sql, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await sql<{ id: string }[]>`
    select given.id from unnest(${ids as string[]}::uuid[]) as given (id)
    where not exists (select from photos p where p.id = given.id)`;
  return new Set(rows.map(({ id }) => id));
};
