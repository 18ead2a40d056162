import { fixedLimits } from '../../config/limits/index.js';
import type { SpokenSegment } from '../../transcript/index.js';

/**
 * Maximum number of segments of a conversation that wait to be stored. Beyond this number the oldest are dropped,
 * counted and reported.
 */
export const segmentBuffer = 1000;

/** Queue of the segments of a conversation that wait to be stored. */
export class SegmentBuffer {
  #waiting: SpokenSegment[] = [];
  #dropped = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Whether the queue of segments is so full that the engine must not yet read further segments of a client that
   * transcribes its own audio.
   */
  get crowded(): boolean {
    return this.#waiting.length > segmentBuffer - fixedLimits.suggestedSegments.value;
  }

  /** Appends segments. @returns the number of oldest segments that were dropped to make space. */
  add(segments: readonly SpokenSegment[]): number {
    this.#waiting.push(...segments);
    const excess = Math.max(0, this.#waiting.length - segmentBuffer);
    this.#waiting.splice(0, excess);
    this.#dropped += excess;
    return excess;
  }

  /** Returns the number of segments dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** Removes and returns all waiting segments. */
  take(): readonly SpokenSegment[] {
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }

  /** Puts segments that could not be stored back at the front of the queue. */
  putBack(batch: readonly SpokenSegment[]): void {
    this.#waiting = [...batch, ...this.#waiting];
  }
}
