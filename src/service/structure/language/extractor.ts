import type { Structured } from '../../../store/record/index.js';
import type { LiveSegment } from '../../../wire/index.js';

/** The fields of a segment that the rules read. */
export type SaidSegment = Pick<LiveSegment, 'text' | 'speaker_id' | 'is_user' | 'start'>;

/** The facts about a finished conversation from which its summary is made. */
export interface Transcript {
  readonly id: string;
  readonly language: string;
  /** Wall clock at time 0 of the segments. Relative dates ("tomorrow") count from this time. */
  readonly startedAt: Date;
  readonly segments: readonly LiveSegment[];
  /** IANA name of the user's time zone, used for local times such as "at six". Default: UTC. */
  readonly timeZone?: string | undefined;
  /** The user's name. Default: "The user". */
  readonly userName?: string | null | undefined;
}

/** A transcript with only the fields that the rules read. */
export interface SaidTranscript extends Omit<Transcript, 'segments'> {
  readonly segments: readonly SaidSegment[];
}

/** Whether a conversation is worth keeping, and why. If `null`, the rules cannot decide. */
export interface Relevance {
  readonly keep: boolean | null;
  readonly reason: string;
}

/** Makes the summary of a conversation. The built-in rules implement it; a language model may implement it too. */
export interface StructureExtractor {
  /** Name of the extractor. The record of the conversation stores it as `generated_by`. */
  readonly name: string;
  /**
   * Makes the summary. @param uid owner of the conversation. If users take turns, the work runs in a turn of this user.
   */
  extract(transcript: Transcript, uid: string): Promise<Structured>;
}
