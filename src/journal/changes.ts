import type { WrittenVoices } from '../store/live/index.js';
import type { AudioPosition } from '../wire/index.js';
import {
  type BegunConversation,
  leaseKey,
  type SegmentRow,
  type SpilledChange,
} from '../wire/spill/index.js';
import type { ConversationChange, Lease } from './journal.js';

/**
 * Converts the changes of a tick into their stored form. The result has one change for each lease. A stored change has
 * one row with the newest revision for each changed segment, and a tombstone for each deleted segment.
 */
export const gatherChanges = (
  changes: readonly ConversationChange[],
  conversationOf: (lease: Lease) => BegunConversation,
): SpilledChange[] => {
  const gathered = new Map<string, SpilledChange>();
  for (const change of changes) {
    const { lease } = change;
    const key = leaseKey(lease.conversationId, lease.epoch);
    const before = gathered.get(key);
    gathered.set(key, {
      conversation: before?.conversation ?? conversationOf(lease),
      epoch: lease.epoch,
      startedAt: earliest(before?.startedAt, change.startedAt),
      lastSpeechAt: Math.max(before?.lastSpeechAt ?? 0, change.lastSpeechAt),
      speechProbability: change.speechProbability ?? before?.speechProbability ?? null,
      spoken: change.spoken ?? before?.spoken ?? null,
      audio: newestPosition(before?.audio, change.audio),
      resends: change.resends === true && before?.resends !== false,
      rows: newestRows([...(before?.rows ?? []), ...rowsOf(change)]),
    });
  }
  return [...gathered.values()];
};

/** Returns the newest voices of each lease in the changes of a tick. */
export const voicesOf = (changes: readonly ConversationChange[]): WrittenVoices[] => {
  const newest = new Map<string, WrittenVoices>();
  for (const { lease, voices } of changes) {
    const { conversationId: id, epoch } = lease;
    if (voices !== undefined) newest.set(leaseKey(id, epoch), { id, epoch, voices });
  }
  return [...newest.values()];
};

/**
 * Returns the audio position of the later one of two changes. If both changes have words of the same stream, the result
 * has `newest` of the earlier change, because its `since` lies before the words of both changes.
 */
const newestPosition = (
  before: AudioPosition | null | undefined,
  position: AudioPosition | undefined,
): AudioPosition | null => {
  if (!before || position === undefined) return position ?? before ?? null;
  const { newest: earlier } = before;
  const { newest: later, ...plain } = position;
  const isOne = before.clock === position.clock && earlier !== undefined && earlier.stream === later?.stream;
  return isOne ? { ...plain, newest: earlier } : plain;
};

const earliest = (one: number | null | undefined, other: number | undefined): number | null => {
  if (typeof one !== 'number') return other ?? null;
  return Math.min(one, other ?? one);
};

const rowsOf = (change: ConversationChange): SegmentRow[] => [
  ...change.upserts.map(({ segment, position, revision }) => ({
    id: segment.id,
    position,
    revision,
    segment,
  })),
  ...change.deletions.map(({ id, revision }) => ({ id, position: 0, revision, segment: null })),
];

/** Keeps only the row with the largest revision of each segment, because one statement must not change a row twice. */
const newestRows = (rows: readonly SegmentRow[]): SegmentRow[] => {
  const newest = new Map<string, SegmentRow>();
  for (const row of rows) {
    const other = newest.get(row.id);
    if (other === undefined || other.revision < row.revision) newest.set(row.id, row);
  }
  return [...newest.values()];
};
