/** Messages between shards and the translation thread. */

/** A text in another language. */
export interface Translation {
  /** Code of the language, as in the user's settings. */
  readonly lang: string;
  readonly text: string;
}

/** A stored segment with final words, which is not translated yet. */
export interface UntranslatedSegment {
  readonly id: string;
  readonly text: string;
}

export interface TranslatedSegment {
  readonly id: string;
  /**
   * The text from which the translation was made. If the segment's text has changed since, the translation is
   * discarded.
   */
  readonly source: string;
  readonly translation: Translation;
}

export type ToTranslation =
  /** New segments, or segments with changed words, in the order of the conversation. */
  | {
      readonly kind: 'segments';
      readonly uid: string;
      readonly conversation: string;
      readonly segments: readonly UntranslatedSegment[];
      /** Ids of removed segments. */
      readonly removed: readonly string[];
    }
  /** The shard no longer works on the conversation, so the translation thread stores later translations itself. */
  | { readonly kind: 'left'; readonly conversation: string }
  /**
   * Translations that reached the shard when it no longer worked on the conversation or no longer had these segments in
   * memory.
   */
  | {
      readonly kind: 'late';
      readonly uid: string;
      readonly conversation: string;
      readonly segments: readonly TranslatedSegment[];
    };

export type FromTranslation =
  | {
      readonly kind: 'translated';
      readonly uid: string;
      readonly conversation: string;
      readonly segments: readonly TranslatedSegment[];
    }
  /** The user gets no translations. For some time, the shard then sends no texts of this conversation. */
  | { readonly kind: 'unwanted'; readonly conversation: string }
  /** Number of messages that the translation thread has read. */
  | { readonly kind: 'read'; readonly messages: number };
