import type { Signal } from '@preact/signals';
import type { Segment } from './records.js';

/** A row of the transcript. Each row has its own signals, so that a change redraws only this row. */
export interface Row {
  readonly segment: Signal<Segment>;
  /** Whether the row is the one that keys act on. */
  readonly current: Signal<boolean>;
  /** The form that is open below the row. */
  readonly open: Signal<'nothing' | 'text' | 'speaker' | 'split'>;
}

/** The segments of a speaker that get a name: all, the block around a row, or one. */
export type Scope = 'all' | 'block' | 'one';

/** Returns a text that identifies the speaker of a segment. */
export const identityOf = ({ is_user, person_id, speaker_id }: Segment): string =>
  is_user ? 'me' : (person_id ?? `speaker ${speaker_id}`);

/**
 * Returns the rows that get a name if the user names the speaker of `row`. All of them show the same speaker as `row`.
 * Segments of this speaker that already have another name are left out.
 */
export const scopeOf = (rows: readonly Row[], row: Row, scope: Scope): readonly Row[] => {
  const own = row.segment.peek();
  const isSame = (other: Row | undefined): boolean => {
    const segment = other?.segment.peek();
    return segment?.speaker_id === own.speaker_id && identityOf(segment) === identityOf(own);
  };
  if (scope === 'one') return [row];
  if (scope === 'all') return rows.filter(isSame);
  const at = rows.indexOf(row);
  let [first, last] = [at, at];
  while (isSame(rows[first - 1])) first--;
  while (isSame(rows[last + 1])) last++;
  return rows.slice(first, last + 1);
};

/**
 * Whether `rows` are all segments of a speaker, and the user has corrected none of them. The request that names the
 * speaker then needs no segment ids. Without ids, the service leaves out segments that were named alone.
 */
export const isWhole = (rows: readonly Row[], all: readonly Row[], speakerId: number): boolean =>
  rows.length === all.filter(({ segment }) => segment.peek().speaker_id === speakerId).length &&
  rows.every(({ segment }) => !segment.peek().by_user);
