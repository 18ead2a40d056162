import { filedSummary } from '../../service/rules/index.js';
import type { Sql } from '../../store/client/index.js';
import { type PhotoRow, photosOf, type Summary } from '../../store/conversations/index.js';
import { emptyStructured } from '../../store/record/index.js';

/** What is written as `generated_by` of a summary of images alone. */
const generator = 'images-1';
/** Characters of an overview. */
const longestOverview = 4000;

const overviewOf = (photos: readonly PhotoRow[]): string =>
  photos
    .flatMap(({ description, discarded }) => (description && !discarded ? [description] : []))
    .join('\n')
    .slice(0, longestOverview)
    .toWellFormed();

/** The summary of a conversation of images in which nothing was said; null when it has no images either. */
export const photoSummary = async (sql: Sql, uid: string, conversation: string): Promise<Summary | null> => {
  const photos = await photosOf(sql, uid, conversation);
  if (photos === null || photos.length === 0) return null;
  const title = photos.length === 1 ? 'One image' : `${photos.length} images`;
  const structured = { ...emptyStructured, title, overview: overviewOf(photos), emoji: '📷' };
  return filedSummary(structured, generator);
};
