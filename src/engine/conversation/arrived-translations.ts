import type { StoredSegment, TranslatedSegment } from '../../wire/index.js';

/**
 * Result of adding translations to the segments in memory. A translation is dropped if its segment now has a different
 * text, because a new translation will follow.
 */
export interface AppliedTranslations {
  /** The segments with their translations and their next revision. */
  readonly changed: readonly StoredSegment[];
  /** Translations of segments that are not in memory. */
  readonly elsewhere: readonly TranslatedSegment[];
}

/**
 * Adds translations to stored segments. A translation replaces an earlier one in the same language. The function
 * changes neither argument.
 * @param find returns the current stored segment with an id, or undefined if the segment is not in memory.
 */
export const applyTranslations = (
  arrived: readonly TranslatedSegment[],
  find: (id: string) => StoredSegment | undefined,
): AppliedTranslations => {
  const changed: StoredSegment[] = [];
  const elsewhere: TranslatedSegment[] = [];
  for (const one of arrived) {
    const entry = find(one.id);
    if (entry === undefined) elsewhere.push(one);
    else if (entry.segment.text === one.source) {
      const others = entry.segment.translations.filter(({ lang }) => lang !== one.translation.lang);
      const segment = { ...entry.segment, translations: [...others, one.translation] };
      changed.push({ ...entry, segment, revision: entry.revision + 1 });
    }
  }
  return { changed, elsewhere };
};
