import { finishInSlices } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { speechIn, timeZoneOf } from '../../service/records/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import {
  type ClaimedConversation,
  changeFinished,
  lockLateWords,
  storedSegments,
} from '../../store/conversations/index.js';
import {
  besideConversation,
  type DeviceConversation,
  endMerged,
  lockDeviceConversation,
} from '../../store/devices/index.js';
import { type DeviceSegment, type DeviceTranscript, mergeDevices } from '../../transcript/devices/index.js';
import type { StoredSegment } from '../../wire/index.js';
import { transcriptChange } from './transcript-change.js';

/**
 * Outcome of a merge for the conversation that is being processed. `merged`: its words moved to another conversation,
 * and this conversation has ended. `changed`: this conversation received the words of another conversation, so it is
 * processed again. `alone`: nothing was merged. `settled`: this conversation no longer waits for a summary.
 */
export type DeviceMerge = 'merged' | 'changed' | 'alone' | 'settled';

/** A conversation whose row is locked in the transaction, and its transcript. */
interface Locked {
  readonly row: DeviceConversation;
  readonly stored: readonly StoredSegment[];
}

/**
 * Merges conversations that two devices of a user recorded in the same place, if the user enabled merging. Runs in one
 * transaction before a conversation is summarised, so that two conversations that end together get one summary. A
 * completed conversation keeps its tasks and title, and receives the words of the other conversation. If neither is
 * completed, the earlier conversation receives the words.
 */
export const mergeConversations = async (sql: Sql, claimed: ClaimedConversation): Promise<DeviceMerge> => {
  if (!claimed.merge_devices) return 'alone';
  return (await sql.begin(async (transaction) => {
    // Every change to finished conversations of the user takes this lock, so two conversations cannot merge into each
    // other.
    await lockLateWords(transaction, claimed.uid);
    const beside = await besideConversation(transaction, claimed.uid, claimed.id);
    if (beside.length === 0) return 'alone';
    const own = await lockWithTranscript(transaction, claimed.uid, claimed.id);
    if (own === null || own.row.status !== 'processing') return 'settled';
    for (const id of beside) {
      const other = await lockWithTranscript(transaction, claimed.uid, id);
      if (other === null) continue;
      const [kept, ended] = staysFirst(own, other) ? [own, other] : [other, own];
      if (await mergeInto(transaction, kept, ended)) return kept === own ? 'changed' : 'merged';
    }
    return 'alone';
  })) as DeviceMerge;
};

const lockWithTranscript = async (sql: TransactionSql, uid: string, id: string): Promise<Locked | null> => {
  const row = await lockDeviceConversation(sql, uid, id);
  return row === null ? null : { row, stored: await storedSegments(sql, id) };
};

/**
 * Whether the first of two conversations is kept in a merge. If exactly one of the two is completed, the completed one
 * is kept. Otherwise the earlier one is kept.
 */
const staysFirst = ({ row: one }: Locked, { row: other }: Locked): boolean => {
  if (one.status !== other.status) return one.status === 'completed';
  const [ours, theirs] = [one.started_at!.getTime(), other.started_at!.getTime()];
  return ours === theirs ? one.id < other.id : ours < theirs;
};

/** Moves the words of one conversation into another. @returns false if nothing proves that both were recorded in the same place. */
const mergeInto = async (sql: TransactionSql, kept: Locked, ended: Locked): Promise<boolean> => {
  if (kept.stored.length === 0 || ended.stored.length === 0) return false;
  if (kept.row.characters + ended.row.characters > fixedLimits.conversationSize.value) return false;
  const [ours, theirs] = [transcriptOf(kept), transcriptOf(ended)];
  const merged = await finishInSlices(mergeDevices(ours, theirs));
  if (merged === null) return false;
  const segments = [...merged.base.segments, ...merged.added];
  await changeFinished(sql, kept.row, {
    from: segments.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY),
    to: segments.reduce((last, { to }) => Math.max(last, to), 0),
    change: (stored, startedAt) =>
      transcriptChange(stored, merged.base === ours ? null : beginsAt(ended), merged.added, startedAt),
    usage: async (...counted) => speechIn(...counted, await timeZoneOf(sql, kept.row.uid)),
  });
  const probability = Math.max(kept.row.speech_probability, ended.row.speech_probability);
  await endMerged(sql, ended.row.id, kept.row.id, probability);
  return true;
};

const beginsAt = ({ row, stored }: Locked) => ({ segments: stored, startedAt: row.started_at!.getTime() });

const transcriptOf = ({ row, stored }: Locked): DeviceTranscript => {
  const begin = row.started_at!.getTime();
  const segments = stored.map(({ segment }): DeviceSegment => {
    const { id, text, speaker, speaker_id: speakerId, is_user: isUser, person_id: personId } = segment;
    const [from, to] = [begin + segment.start * 1000, begin + segment.end * 1000];
    return { id, text, speaker, speakerId, isUser, personId, provider: segment.stt_provider, from, to };
  });
  return { id: row.id, probability: row.speech_probability, segments };
};
