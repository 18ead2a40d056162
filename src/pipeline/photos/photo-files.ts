import type { Logger } from '../../log/index.js';
import { type PhotoFiles, parsePhotoName } from '../../photos/index.js';
import type { Sql } from '../../store/client/index.js';
import { adoptPhotos, photoRemovals, photosRemoved, unknownPhotos } from '../../store/conversations/index.js';

export interface PhotoContext {
  readonly sql: Sql;
  readonly log: Logger;
  readonly files: PhotoFiles;
}

/** Number of files in one batch of removals. After a batch, one statement records that its files are removed. */
const batch = 100;
/** Maximum number of files whose storage locations are recorded by one statement. */
const found = 1000;
/**
 * Age in ms after which a file without a database row counts as abandoned, because its engine ended before it wrote the
 * row.
 */
const abandoned = 3_600_000;

/** Removes the files of photos whose rows were deleted with their conversations or accounts. Repeated calls do no harm. */
export const removePhotoFiles = async ({ sql, files, log }: PhotoContext): Promise<void> => {
  for (let names = [''], removed = 0; names.length > 0; ) {
    names = await photoRemovals(sql, files.place, batch);
    for (const name of names) await files.remove(name);
    await photosRemoved(sql, names);
    removed += names.length;
    if (names.length < batch) {
      if (removed > 0) log.info({ files: removed }, 'files of deleted images are removed');
      return;
    }
  }
};

/**
 * Records in the database where the files of photos are. The database may name another storage, because the folder was
 * moved to another host, or the file to a bucket. If there is a bucket, also moves photos of the data folder to it.
 * @returns the names of the files.
 */
export const findPhotos = async ({ sql, files, log }: PhotoContext): Promise<readonly string[]> => {
  const idOf = (name: string) => ({ id: parsePhotoName(name)!.id, name });
  const moved = await files.moveEarlier((name) => adoptPhotos(sql, files.place, [idOf(name)]));
  if (moved > 0) log.info({ files: moved }, 'images of the data folder are moved to the bucket');
  const names = await files.list();
  for (let from = 0; from < names.length; from += found)
    await adoptPhotos(sql, files.place, names.slice(from, from + found).map(idOf));
  return names;
};

/** Removes files that had no row for an hour. @param now ms. @param names names of the files, if they are known. */
export const removeAbandonedPhotos = async (
  { sql, files, log }: PhotoContext,
  now: number,
  names?: readonly string[],
): Promise<void> => {
  const old = (names ?? (await files.list())).flatMap((name) => {
    const { at, id } = parsePhotoName(name)!;
    return now - at > abandoned ? [{ name, id }] : [];
  });
  for (let from = 0; from < old.length; from += batch) {
    const some = old.slice(from, from + batch);
    const unknown = await unknownPhotos(
      sql,
      some.map(({ id }) => id),
    );
    for (const { name, id } of some) {
      if (!unknown.has(id)) continue;
      await files.remove(name);
      // If the row was deleted a moment ago, `photo_removals` lists the file. So the removal is recorded there, too.
      await photosRemoved(sql, [name]);
      log.info('an image file without a conversation is removed');
    }
  }
};
