import { fixedLimits } from '../../config/limits/index.js';
import type { SpokenSegment } from '../../transcript/index.js';

/** Segments of a conversation that may wait to be stored; over it the oldest are dropped, counted and reported. */
export const segmentBuffer = 1000;

/** The segments of a conversation that wait to be stored. */
export class SegmentBuffer {
  #waiting: SpokenSegment[] = [];
  #dropped = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /** So many wait that what a client suggests has to wait before it is read. */
  get crowded(): boolean {
    return this.#waiting.length > segmentBuffer - fixedLimits.suggestedSegments.value;
  }

  /** @returns how many of the oldest were dropped for these. */
  add(segments: readonly SpokenSegment[]): number {
    this.#waiting.push(...segments);
    const excess = Math.max(0, this.#waiting.length - segmentBuffer);
    this.#waiting.splice(0, excess);
    this.#dropped += excess;
    return excess;
  }

  /** How many were dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** Takes all out. */
  take(): readonly SpokenSegment[] {
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }

  /** What was taken could not be stored: it is first again. */
  putBack(batch: readonly SpokenSegment[]): void {
    this.#waiting = [...batch, ...this.#waiting];
  }
}
