import { randomUUID } from 'node:crypto';
import {
  type Combined,
  type CombineOptions,
  combineSegments,
  type IncomingSegment,
  type SpokenSegment,
} from '../../transcript/index.js';
import type { LiveSegment, StoredSegment } from '../../wire/index.js';

/** Changes to segments that result from final words. */
export type FinalChange = Omit<Combined, 'absorbed'>;

/** Changes that result from final words, with the provisional words added to the segments. */
export interface LaidChange extends FinalChange {
  /** The changed segments and the last segment, each without its provisional words. */
  readonly settled: readonly StoredSegment[];
  /** Segments that contain provisional words after this change, by id. */
  readonly shown: ReadonlyMap<string, StoredSegment>;
  /** Ids of the segments that final words changed. */
  readonly final: ReadonlySet<string>;
  /** Number of upserts that restore segments which had been deleted. */
  readonly returned: number;
}

/** Maximum number of deleted segments whose revisions are remembered. */
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
 * The provisional words of a conversation. They are joined to the last final segment and stored in the same way as
 * final words. Final words are never computed from provisional words, which can therefore be withdrawn completely. A
 * provisional segment has the id of its later final segment.
 */
export class ProvisionalSegments {
  #shown: ReadonlyMap<string, StoredSegment> = new Map();
  /**
   * Revisions of deleted segments, by segment id. A deleted segment may be stored again, because its utterance is still
   * open or its final words have not arrived.
   */
  readonly #deleted = new Map<string, number>();

  /** Whether the stored segment of this id has provisional words. */
  has(id: string): boolean {
    return this.#shown.has(id);
  }

  /** Whether a stored segment has exactly the revision and text that these provisional words gave it. */
  stored({ segment, revision }: StoredSegment): boolean {
    const shown = this.#shown.get(segment.id);
    return shown?.revision === revision && shown.segment.text === segment.text;
  }

  /**
   * Adds provisional words to a change.
   * @param before the last segment with final words before this change, with its stored revision.
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
      final: new Set(change.upserts.map(({ segment: { id } }) => id)),
      returned: [...written.keys()].filter((id) => this.#deleted.has(id)).length,
    };
  }

  /** Updates the state after a change was stored durably. */
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

/** Joins provisional words to the last final segment. @returns the changed and the new segments, by id. */
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
      // A join would delete a final segment because of words that may still change. The words therefore become a
      // separate segment.
      last = { segment: words, position: (last?.position ?? -1) + 1, revision: 1 };
      over.set(words.id, last);
    }
  }
  return over;
};

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Removes from final segments the words that are already stored as provisional words. The remaining words get a new id,
 * because another engine may write the stored segment.
 * @param stored the stored provisional words, by the id of their final segment.
 */
export const beyondStored = (
  segments: readonly SpokenSegment[],
  stored: ReadonlyMap<string, string>,
): SpokenSegment[] =>
  segments.flatMap((segment) => {
    const shown = stored.get(segment.id)?.split(' ');
    if (shown === undefined) return [segment];
    const spoken = segment.text.split(' ');
    const different = spoken.findIndex((word, index) => plain(word) !== plain(shown[index] ?? ''));
    if (different === -1) return [];
    const { words, ...rest } = segment;
    const left = words?.length === spoken.length ? words.slice(different) : undefined;
    const from = left?.[0]?.from ?? segment.from;
    const text = spoken.slice(different).join(' ');
    return [{ ...rest, id: randomUUID(), text, from, ...(left && { words: left }) }];
  });
