import { filedSummary } from '../../service/rules/index.js';
import type { Sql } from '../../store/client/index.js';
import { type PhotoRow, photosOf, type Summary } from '../../store/conversations/index.js';
import { emptyStructured } from '../../store/record/index.js';

/** `generated_by` of a summary that is made from images alone. */
const generator = 'images-1';
/** Longest overview (characters). */
const longestOverview = 4000;

const overviewOf = (photos: readonly PhotoRow[]): string =>
  photos
    .flatMap(({ description, discarded }) => (description && !discarded ? [description] : []))
    .join('\n')
    .slice(0, longestOverview)
    .toWellFormed();

/** Summarises a conversation of images without speech. Returns null if it has no images either. */
export const photoSummary = async (sql: Sql, uid: string, conversation: string): Promise<Summary | null> => {
  const photos = await photosOf(sql, uid, conversation);
  if (photos === null || photos.length === 0) return null;
  const title = photos.length === 1 ? 'One image' : `${photos.length} images`;
  const structured = { ...emptyStructured, title, overview: overviewOf(photos), emoji: '📷' };
  return filedSummary(structured, generator);
};
