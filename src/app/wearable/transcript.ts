import type { LiveSegment } from '../../wire/index.js';

/**
 * The transcript on the client. A received segment replaces the segment with the same id. If the server reports that
 * segments were merged, the segments that no longer exist are removed.
 */
export class Transcript {
  readonly #segments = new Map<string, LiveSegment>();

  /** Adds or replaces the segments of one message. */
  upsert(segments: readonly LiveSegment[]): void {
    for (const segment of segments) this.#segments.set(segment.id, segment);
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#segments.delete(id);
  }

  clear(): void {
    this.#segments.clear();
  }

  /** Returns the segments in order of time. */
  get segments(): readonly LiveSegment[] {
    return [...this.#segments.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  }

  get text(): string {
    return this.segments.map((segment) => segment.text).join(' ');
  }
}
