/** A live transcript segment, as the contract names its fields. Times in seconds relative to the conversation's start. */
export interface LiveSegment {
  readonly id: string;
  readonly text: string;
  readonly speaker: string;
  readonly speaker_id: number;
  readonly is_user: boolean;
  readonly person_id: string | null;
  readonly start: number;
  readonly end: number;
  readonly translations: readonly { readonly lang: string; readonly text: string }[];
  readonly speech_profile_processed: boolean;
  readonly stt_provider: string | null;
}
