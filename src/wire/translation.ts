/** What shards and the thread that translates tell each other. Ids are of segments. */

/** The text of something said, in another language. */
export interface Translation {
  /** A language code, as the user has set it. */
  readonly lang: string;
  readonly text: string;
}

/** A stored segment with final words only. */
export interface UntranslatedSegment {
  readonly id: string;
  readonly text: string;
}

export interface TranslatedSegment {
  readonly id: string;
  /** The text that was translated. A translation of a text that the segment does not have any more is not used. */
  readonly source: string;
  readonly translation: Translation;
}

export type ToTranslation =
  /** Segments that are new or have other words, in the order of the conversation. */
  | {
      readonly kind: 'segments';
      readonly uid: string;
      readonly conversation: string;
      readonly segments: readonly UntranslatedSegment[];
      /** Segments that are gone. */
      readonly removed: readonly string[];
    }
  /** The shard holds the conversation no more: what is left of it is stored without the shard. */
  | { readonly kind: 'left'; readonly conversation: string }
  /** These came when the shard held the conversation, or these segments, no more. */
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
  /** The user wants no translations: what is said is not to be sent for a while. */
  | { readonly kind: 'unwanted'; readonly conversation: string }
  /** So many messages were read. */
  | { readonly kind: 'read'; readonly messages: number };
