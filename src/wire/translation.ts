/** Messages between shards and the translation thread. Ids are segment ids. */

/** A text in another language. */
export interface Translation {
  /** Language code in the user's settings. */
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
  /** The translated text. If the segment's text has changed since, the translation is discarded. */
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
  /** The shard has released the conversation. Remaining translations are stored without the shard. */
  | { readonly kind: 'left'; readonly conversation: string }
  /** Translations that arrived after the shard had released the conversation or these segments. */
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
  /** The user wants no translations. The shard must not send texts for a while. */
  | { readonly kind: 'unwanted'; readonly conversation: string }
  /** Reports how many messages the translation thread has read. */
  | { readonly kind: 'read'; readonly messages: number };
