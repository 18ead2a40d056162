import {
  type Combined,
  type CombineOptions,
  combineSegments,
  type IncomingSegment,
} from '../../transcript/index.js';
import type { LiveSegment, StoredSegment } from '../../wire/index.js';

/** What final words change. */
export type FinalChange = Omit<Combined, 'absorbed'>;

/** The same change with provisional words laid over it. */
export interface LaidChange extends FinalChange {
  /** Of what is written, and of the last segment, the form that has final words only. */
  readonly settled: readonly StoredSegment[];
  /** What is stored of provisional words then. */
  readonly shown: ReadonlyMap<string, StoredSegment>;
  /** Upserts whose segments had been deleted. */
  readonly returned: number;
}

/** Deleted segments whose revisions are kept. */
const deletedKept = 256;

type Provisional = IncomingSegment & LiveSegment;

const equal = (a: StoredSegment, b: StoredSegment): boolean =>
  a.position === b.position &&
  a.segment.text === b.segment.text &&
  a.segment.start === b.segment.start &&
  a.segment.end === b.segment.end &&
  a.segment.speaker_id === b.segment.speaker_id &&
  a.segment.person_id === b.segment.person_id &&
  a.segment.is_user === b.segment.is_user;

/**
 * The provisional words in a conversation. They are laid over the end of what is final, joined to it as final words would be, and stored like
 * it; what is final is never computed from them, so that they can be taken back without a trace. Segments of theirs have the ids of the final
 * ones to come.
 */
export class ProvisionalSegments {
  #shown: ReadonlyMap<string, StoredSegment> = new Map();
  /** Revisions of deleted segments that may come back: their utterances go on, or their final words are on their way. */
  readonly #deleted = new Map<string, number>();

  /** Whether a segment is stored with provisional words. */
  has(id: string): boolean {
    return this.#shown.has(id);
  }

  /** Whether a segment is stored as these words have left it. */
  stored({ segment, revision }: StoredSegment): boolean {
    const shown = this.#shown.get(segment.id);
    return shown?.revision === revision && shown.segment.text === segment.text;
  }

  /**
   * Lays provisional words over a change.
   * @param before the last segment of final words before this change, with the revision that is stored.
   */
  lay(
    change: FinalChange,
    before: StoredSegment | null,
    provisional: readonly Provisional[],
    options: CombineOptions,
  ): LaidChange {
    const written = new Map<string, StoredSegment>();
    for (const upsert of change.upserts) {
      const { id } = upsert.segment;
      written.set(id, { ...upsert, revision: Math.max(upsert.revision, this.#next(id)) });
    }
    const last = change.tail;
    const tail = last === null ? null : (written.get(last.segment.id) ?? last);
    const settled = new Map(written);
    const over = overlay(tail, provisional, options);
    const shown = new Map<string, StoredSegment>();
    for (const [id, entry] of over) {
      const stored = this.#shown.get(id);
      if (stored !== undefined && !written.has(id) && equal(stored, entry)) {
        shown.set(id, stored);
        continue;
      }
      const stands = id === tail?.segment.id ? tail.revision + 1 : 1;
      const laid = { ...entry, revision: written.get(id)?.revision ?? Math.max(stands, this.#next(id)) };
      written.set(id, laid);
      shown.set(id, laid);
    }
    const deletions = [...change.deletions];
    const removed = new Set(change.removed);
    for (const [id, stored] of this.#shown) {
      if (over.has(id) || written.has(id) || deletions.some((deletion) => deletion.id === id)) continue;
      const revision = stored.revision + 1;
      const final = [tail, before].find((entry) => entry?.segment.id === id);
      if (final) {
        written.set(id, { ...final, revision });
        settled.set(id, { ...final, revision });
      } else {
        deletions.push({ id, revision });
        removed.add(id);
      }
    }
    const revision =
      tail === null ? undefined : (written.get(tail.segment.id) ?? shown.get(tail.segment.id))?.revision;
    const end = tail === null ? null : { ...tail, revision: revision ?? tail.revision };
    if (end !== null && shown.has(end.segment.id)) settled.set(end.segment.id, end);
    return {
      upserts: [...written.values()],
      deletions,
      removed: [...removed],
      tail: end,
      settled: [...settled.values()],
      shown,
      returned: [...written.keys()].filter((id) => this.#deleted.has(id)).length,
    };
  }

  /** What was laid is durable. */
  accept({ shown, deletions, upserts }: Pick<LaidChange, 'shown' | 'deletions' | 'upserts'>): void {
    for (const { segment } of upserts) this.#deleted.delete(segment.id);
    for (const { id, revision } of deletions) if (this.#shown.has(id)) this.#deleted.set(id, revision);
    for (const id of this.#deleted.keys()) {
      if (this.#deleted.size <= deletedKept) break;
      this.#deleted.delete(id);
    }
    this.#shown = shown;
  }

  #next(id: string): number {
    return (this.#shown.get(id)?.revision ?? this.#deleted.get(id) ?? 0) + 1;
  }
}

/** What provisional words make of the last segment and of those behind it. */
const overlay = (
  tail: StoredSegment | null,
  provisional: readonly Provisional[],
  options: CombineOptions,
): Map<string, StoredSegment> => {
  const over = new Map<string, StoredSegment>();
  let last = tail;
  for (const words of [...provisional].sort((a, b) => a.start - b.start)) {
    const combined = combineSegments(last, [words], options);
    if (combined.deletions.length === 0) {
      for (const upsert of combined.upserts) over.set(upsert.segment.id, upsert);
      last = combined.tail;
    } else {
      // A final segment would vanish for words that may change.
      last = { segment: words, position: (last?.position ?? -1) + 1, revision: 1 };
      over.set(words.id, last);
    }
  }
  return over;
};
