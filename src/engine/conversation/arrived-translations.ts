import type { StoredSegment, TranslatedSegment } from '../../wire/index.js';

/** What became of translations when they were put into the segments that a shard remembers. */
export interface AppliedTranslations {
  /** The segments with their translations, and the next revision. */
  readonly changed: readonly StoredSegment[];
  /** Those of segments that are not remembered. Those of texts that have changed are in neither: new ones are on their way. */
  readonly elsewhere: readonly TranslatedSegment[];
}

/**
 * Puts translations into stored segments, each in place of the one in the same language. A pure function.
 * @param find the stored segment of an id, as it is now; undefined where it is not remembered.
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
