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
 * Result for the conversation that is processed. `merged`: another one has its words, and it is done. `changed`: it has the words of another one,
 * and is processed again. `alone`: nothing was merged. `settled`: it does not wait for a summary any more.
 */
export type DeviceMerge = 'merged' | 'changed' | 'alone' | 'settled';

/** A conversation that is locked, with its transcript. */
interface Locked {
  readonly row: DeviceConversation;
  readonly stored: readonly StoredSegment[];
}

/**
 * Makes one conversation of those that two devices of a user recorded at one place, where the user wants that. Called before a conversation is
 * summarised, so that of two that end together one summary is made. A conversation that is completed stays, with its tasks and its title, and
 * gets the words; of two that are not, the one that began first. All of it is one transaction.
 */
export const mergeConversations = async (sql: Sql, claimed: ClaimedConversation): Promise<DeviceMerge> => {
  if (!claimed.merge_devices) return 'alone';
  return (await sql.begin(async (transaction) => {
    // Others that change finished conversations of the user take it, too; so two conversations are not merged into each other.
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

/** Whether the first one stays: it is completed, or both are not and it began before the other. */
const staysFirst = ({ row: one }: Locked, { row: other }: Locked): boolean => {
  if (one.status !== other.status) return one.status === 'completed';
  const [ours, theirs] = [one.started_at!.getTime(), other.started_at!.getTime()];
  return ours === theirs ? one.id < other.id : ours < theirs;
};

/** Puts the words of one conversation into another. @returns false where nothing proves that both are of one place. */
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
