import type { Translation } from './translation.js';

/**
 * A live transcript segment with the field names of `docs/protocol.md`. Times are seconds from the start of
 * the conversation.
 */
export interface LiveSegment {
  readonly id: string;
  readonly text: string;
  readonly speaker: string;
  readonly speaker_id: number;
  readonly is_user: boolean;
  readonly person_id: string | null;
  readonly start: number;
  readonly end: number;
  readonly translations: readonly Translation[];
  readonly speech_profile_processed: boolean;
  readonly stt_provider: string | null;
  /**
   * Name of the local model that decoded the words; null for other providers. The name is stored but not sent to
   * clients.
   */
  readonly stt_model: string | null;
}

/** Default values of a segment's fields. */
export const emptySegment: LiveSegment = {
  id: '',
  text: '',
  speaker: 'SPEAKER_00',
  speaker_id: 0,
  is_user: false,
  person_id: null,
  start: 0,
  end: 0,
  translations: [],
  speech_profile_processed: true,
  stt_provider: null,
  stt_model: null,
};

/**
 * A segment with its position and revision. A write replaces a stored segment only if its revision is larger, so a
 * repeated write changes nothing.
 */
export interface StoredSegment {
  readonly segment: LiveSegment;
  /** Number that orders segments within the conversation. */
  readonly position: number;
  readonly revision: number;
  /** Present if the user corrected the segment. A corrected segment is never merged with other segments. */
  readonly byUser?: true;
}

/** A change of a transcript: new or changed segments, and deletions. */
export interface SegmentChange {
  readonly upserts: readonly StoredSegment[];
  /** Ids of segments that were merged into others and deleted, with the revisions of their deletions. */
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
}
