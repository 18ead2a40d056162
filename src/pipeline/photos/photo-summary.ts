import { filedSummary } from '../../service/rules/index.js';
import type { Sql } from '../../store/client/index.js';
import { type PhotoRow, photosOf, type Summary } from '../../store/conversations/index.js';
import { emptyStructured } from '../../store/record/index.js';

/** Value of `generated_by` for a summary that is made only from images. */
const generator = 'images-1';
/** Maximum characters of an overview. */
const longestOverview = 4000;

const overviewOf = (photos: readonly PhotoRow[]): string =>
  photos
    .flatMap(({ description, discarded }) => (description && !discarded ? [description] : []))
    .join('\n')
    .slice(0, longestOverview)
    .toWellFormed();

/** Summarises a conversation that has images but no speech. Returns null if it has no images either. */
export const photoSummary = async (sql: Sql, uid: string, conversation: string): Promise<Summary | null> => {
  const photos = await photosOf(sql, uid, conversation);
  if (photos === null || photos.length === 0) return null;
  const title = photos.length === 1 ? 'One image' : `${photos.length} images`;
  const structured = { ...emptyStructured, title, overview: overviewOf(photos), emoji: '📷' };
  return filedSummary(structured, generator);
};
