import type { LiveSegment } from '../../wire/index.js';
import { rescuedSegmentId, type SegmentRow, type SpilledChange } from '../../wire/spill/index.js';
import type { TransactionSql } from '../client/index.js';
import { type WrittenRow, writtenRow } from '../segments/index.js';

/**
 * Merges words that were written under a lost lease with the segments that other writers have stored since. Only one
 * writer may extend the text of a segment. If a holder has released a conversation, the next holder may extend the last
 * segment. Otherwise the next holder begins a new segment (`continued_from`), and only the earlier holder changes the
 * last segment.
 */

/**
 * The current lease of a conversation for which the writer of a change has lost its lease. The caller has locked the
 * conversation's row.
 */
export interface CurrentLease {
  readonly epoch: number;
  readonly continued_from: number;
  readonly in_progress: boolean;
}

interface StoredText {
  readonly id: string;
  readonly text: string;
  readonly revision: number;
  readonly epoch: number;
  readonly position: number;
  readonly by_user: boolean;
  readonly corrections: number;
  readonly written_words: number | null;
  readonly deleted: boolean;
}

/** Epoch of segments with rescued words. No stream continues them. */
const rescuedEpoch = -1;

/**
 * Returns the rows to store for a change that was made under a lost lease. If only this lease has written a segment,
 * the segment is changed in place, unless the current holder may have it in memory or its user has corrected it. For
 * any other segment, the words that the stored segment lacks become a separate segment. A repeated write uses the same
 * id for the separate segment. If a later writer has deleted a segment, it stays deleted.
 */
export const rowsOfLostLease = async (
  sql: TransactionSql,
  change: SpilledChange,
  current: CurrentLease,
): Promise<WrittenRow[]> => {
  const { conversation, epoch, rows } = change;
  const ids = rows.flatMap(({ id }) => [id, rescuedSegmentId(id, epoch)]);
  const stored = await sql<StoredText[]>`
    select id, text, revision, epoch, position, deleted, by_user, corrections, written_words from segments
    where conversation_id = ${conversation.id} and id = any(${ids}) for update`;
  const byId = new Map(stored.map((row) => [row.id, row]));
  const isFree = !current.in_progress || current.epoch === epoch || epoch < current.continued_from;
  return rows.flatMap((row) => {
    const other = byId.get(row.id);
    const rescued = byId.get(rescuedSegmentId(row.id, epoch));
    if (other === undefined) return [writtenRow(conversation.id, epoch, row)];
    if (other.by_user) {
      const isKnown = other.epoch === epoch && other.revision - other.corrections >= row.revision;
      const words = isKnown ? undefined : wordsBehind(row, other, epoch);
      return words === undefined ? [] : [writtenRow(conversation.id, rescuedEpoch, words)];
    }
    if ([other, rescued].some((one) => one?.deleted && isNewer(one, row, epoch))) return [];
    if (rescued === undefined) {
      if (other.epoch === epoch && other.revision >= row.revision) return [];
      if (other.epoch <= epoch && other.revision < row.revision && isFree)
        return [writtenRow(conversation.id, epoch, row)];
    }
    const words = wordsBeyond(row, other, epoch);
    return words === undefined ? [] : [writtenRow(conversation.id, rescuedEpoch, words)];
  });
};

/**
 * Whether a later holder has written the stored segment, or the stored segment has at least the revision of the lost
 * lease's row.
 */
const isNewer = (stored: StoredText, row: SegmentRow, epoch: number): boolean =>
  stored.epoch > epoch || stored.revision >= row.revision;

/** Returns the words of a row that the stored segment lacks, as a separate segment; undefined if there are none. */
const wordsBeyond = (row: SegmentRow, other: StoredText, epoch: number): SegmentRow | undefined => {
  if (row.segment === null) return undefined;
  return rescuedRow(row, row.segment, withoutSharedWords(row.segment.text, other.text), other, epoch);
};

/**
 * Returns the words of a row that were not written yet when the user corrected the segment, as a separate segment;
 * undefined if there are none. The words are found by the number of words written before the correction, because the
 * user may have changed the words.
 */
const wordsBehind = (row: SegmentRow, other: StoredText, epoch: number): SegmentRow | undefined => {
  if (row.segment === null) return undefined;
  const text = row.segment.text
    .split(' ')
    .slice(other.written_words ?? 0)
    .join(' ');
  return rescuedRow(row, row.segment, text, other, epoch);
};

const rescuedRow = (
  row: SegmentRow,
  given: LiveSegment,
  text: string,
  other: StoredText,
  epoch: number,
): SegmentRow | undefined => {
  if (text === '') return undefined;
  const id = rescuedSegmentId(row.id, epoch);
  const segment = { ...given, id, text, translations: [] };
  return { id, position: other.position + 0.5, revision: row.revision, segment };
};

const withoutSharedWords = (text: string, other: string): string => {
  const words = text.split(' ');
  const others = other.split(' ');
  const different = words.findIndex((word, index) => word !== others[index]);
  return different === -1 ? '' : words.slice(different).join(' ');
};
