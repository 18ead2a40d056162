import type { Structured } from '../../store/conversation-record.js';
import type { LiveSegment } from '../../wire/segment.js';

/** A finished conversation, as far as its summary depends on it. */
export interface Transcript {
  readonly id: string;
  readonly language: string;
  /** Wall clock of time 0 of the segments; relative dates ("tomorrow") count from here. */
  readonly startedAt: Date;
  readonly segments: readonly LiveSegment[];
}

/** Whether a conversation is worth keeping, and why. `null`: the rules cannot tell. */
export interface Relevance {
  readonly keep: boolean | null;
  readonly reason: string;
}

/** Makes the summary of a conversation. A language model stands behind the same interface as the built-in rules. */
export interface StructureExtractor {
  /** Written to the record as `generated_by`. */
  readonly name: string;
  extract(transcript: Transcript): Promise<Structured>;
}
