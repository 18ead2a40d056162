import { validate as isUuid } from 'uuid';
import { CochleaError } from '../../errors/index.js';
import { isPhotoLink, type PhotoFiles, type PhotoLink, signPhotoLink } from '../../photos/index.js';
import type { Sql } from '../../store/client/index.js';
import { type PhotoFile, type PhotoRow, photoFile, photosOf } from '../../store/conversations/index.js';
import { clientErrorOf } from '../../stt/storage/index.js';

/** A photo with a link that opens it for a limited time. */
export interface LinkedPhoto extends PhotoRow {
  readonly link: PhotoLink;
}

/**
 * Returns the photos of one of a user's conversations, oldest first.
 * @param key signs the links. @param expires end of the links' validity, in seconds since the epoch.
 * @throws CochleaError `conversation_not_found`, also for a locked conversation.
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
 * Finds the photo that a link opens.
 * @param now ms.
 * @throws CochleaError `photo_link_invalid`, `record_not_found`
 */
export const findPhoto = async (
  sql: Sql,
  key: Uint8Array,
  link: PhotoLink,
  now: number,
): Promise<PhotoFile> => {
  if (!isUuid(link.id) || !isPhotoLink(key, link, now)) throw new CochleaError('photo_link_invalid');
  const photo = await photoFile(sql, link.id);
  if (photo === null) throw new CochleaError('record_not_found', { kind: 'Image' });
  return photo;
};

/**
 * Reads the image of a photo into a new buffer that the caller owns.
 * @param files the image files; null if this process cannot read them.
 * @throws CochleaError `record_not_found`, also if the file is on another machine; `photo_unreadable`;
 *   `storage_unavailable`.
 */
export const readPhoto = async (files: PhotoFiles | null, photo: PhotoFile): Promise<Buffer> => {
  // Reads the file even if its row names another storage. The file may have moved to this storage since, and its name
  // is unique.
  const bytes = await files?.read(photo.file).catch((error: unknown) => {
    throw clientErrorOf(error);
  });
  if (bytes === undefined) throw new CochleaError('record_not_found', { kind: 'Image' });
  return bytes;
};
