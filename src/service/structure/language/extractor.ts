import type { Structured } from '../../../store/record/index.js';
import type { LiveSegment } from '../../../wire/index.js';

/** What the rules read of a segment. */
export type SaidSegment = Pick<LiveSegment, 'text' | 'speaker_id' | 'is_user' | 'start'>;

/** The parts of a finished conversation from which its summary is made. */
export interface Transcript {
  readonly id: string;
  readonly language: string;
  /** Wall clock of time 0 of the segments; relative dates ("tomorrow") count from here. */
  readonly startedAt: Date;
  readonly segments: readonly LiveSegment[];
  /** IANA name of the user's time zone, in which "at six" is meant; UTC when absent. */
  readonly timeZone?: string | undefined;
  /** What the user is called; "The user" when absent. */
  readonly userName?: string | null | undefined;
}

/** A transcript as the rules read it. */
export interface SaidTranscript extends Omit<Transcript, 'segments'> {
  readonly segments: readonly SaidSegment[];
}

/** Whether a conversation is worth keeping, and why. `null`: the rules cannot decide. */
export interface Relevance {
  readonly keep: boolean | null;
  readonly reason: string;
}

/** Makes the summary of a conversation. Implemented by the built-in rules; a language model can implement it, too. */
export interface StructureExtractor {
  /** Written to the record as `generated_by`. */
  readonly name: string;
  /** @param uid whose conversation it is: where users take turns, it is in that user's. */
  extract(transcript: Transcript, uid: string): Promise<Structured>;
}
