import { validate as isUuid } from 'uuid';
import { CochleaError } from '../errors/index.js';
import { isPhotoLink, type PhotoFiles, type PhotoLink, signPhotoLink } from '../photos/index.js';
import type { Sql } from '../store/database.js';
import { type PhotoRow, photoFile, photosOf } from '../store/photos.js';

/** A photo with the link that opens it for a while. */
export interface LinkedPhoto extends PhotoRow {
  readonly link: PhotoLink;
}

/**
 * The photos of one of a user's conversations, the oldest first.
 * @param key signs the links. @param expires seconds since the epoch.
 * @throws CochleaError `conversation_not_found`, also for a locked one.
 */
export const conversationPhotos = async (
  sql: Sql,
  uid: string,
  conversation: string,
  key: Uint8Array,
  expires: number,
): Promise<LinkedPhoto[]> => {
  const photos = await photosOf(sql, uid, conversation);
  if (photos === null) throw new CochleaError('conversation_not_found');
  return photos.map((photo) => ({ ...photo, link: signPhotoLink(key, photo.id, expires) }));
};

/**
 * The photo that a link opens, and its content type.
 * @param now ms. @param files null where none can be read.
 * @throws CochleaError `photo_link_invalid`; `record_not_found` also where another machine has the file; `photo_unreadable`;
 *   `retained_store_failed`.
 */
export const openPhoto = async (
  sql: Sql,
  files: PhotoFiles | null,
  key: Uint8Array,
  link: PhotoLink,
  now: number,
): Promise<{ readonly contentType: string; readonly bytes: Buffer }> => {
  if (!isUuid(link.id) || !isPhotoLink(key, link, now)) throw new CochleaError('photo_link_invalid');
  const photo = await photoFile(sql, link.id);
  const bytes = photo?.place === files?.place ? await files?.read(photo!.file) : undefined;
  if (photo === null || bytes === undefined) throw new CochleaError('record_not_found', { kind: 'Image' });
  return { contentType: photo.content_type, bytes };
};
