import { automaticLanguage } from '../../wire/index.js';
import { leaseKey, rescuedConversationId, type SpilledChange } from '../../wire/spill/index.js';
import { isDeletedAccount } from '../accounts/index.js';
import { announce, type Sql, type TransactionSql } from '../client/index.js';
import { upsertSegments, type WrittenRow, writtenRow } from '../segments/index.js';
import { upsertVoices, type WrittenVoices } from './conversation-voices.js';
import { endedHolder, type Holder } from './engine-leases.js';
import { beginConversation, timestamp } from './leases.js';
import { type CurrentLease, rowsOfLostLease } from './rescued-rows.js';

/**
 * Writes the segments of conversations in progress. A write is fenced: it takes effect only while the epoch of its
 * lease is current. Every statement may be repeated: because of revisions and epochs, the second run changes nothing.
 */

const rowsOf = ({ conversation, epoch, rows }: SpilledChange): WrittenRow[] =>
  rows.map((row) => writtenRow(conversation.id, epoch, row));

/**
 * Returns SQL assignments for a change `head` of the writer that holds the conversation `c`. The values of the change
 * are newer than the values of the row.
 */
const currentValues = (sql: Sql | TransactionSql) => sql`
  speech_probability = coalesce(head.probability, c.speech_probability),
  language = coalesce(head.language, c.language), spoken_ms = coalesce(head.spoken, c.spoken_ms),
  audio_clock = coalesce(head.clock, c.audio_clock), audio_confirmed_ms = coalesce(head.confirmed, c.audio_confirmed_ms),
  audio_began_at = case when head.clock is distinct from c.audio_clock and head.clock is not null
    then to_timestamp(head.began / 1000) else coalesce(to_timestamp(head.began / 1000), c.audio_began_at) end`;

/**
 * Returns SQL assignments for a change `head` of a writer that has ended. The row may contain newer values than the
 * change. Lengths of speech and positions of audio only grow, so the larger value is the newer value.
 */
const lateValues = (sql: Sql | TransactionSql) => {
  const length = (times: string) =>
    sql`(select coalesce(sum(value::double precision), 0) from jsonb_each_text(${sql.unsafe(times)}))`;
  const isNewer = sql`(c.spoken_ms is null or ${length('head.spoken')} > ${length('c.spoken_ms')})`;
  return sql`
    speech_probability = coalesce(c.speech_probability, head.probability),
    language = case when ${isNewer} then coalesce(head.language, c.language) else c.language end,
    spoken_ms = case when ${isNewer} then coalesce(head.spoken, c.spoken_ms) else c.spoken_ms end,
    audio_clock = coalesce(c.audio_clock, head.clock),
    audio_began_at = case when c.audio_clock is null then to_timestamp(head.began / 1000) else c.audio_began_at end,
    audio_confirmed_ms = case when c.audio_clock is null then head.confirmed when c.audio_clock = head.clock then (
        select array_agg(greatest(stored, late) order by track)
        from unnest(c.audio_confirmed_ms, head.confirmed) with ordinality as position(stored, late, track))
      else c.audio_confirmed_ms end`;
};

/**
 * Writes the changes that a journal has collected, in one statement. A change is written when its epoch is current and
 * its conversation is in progress and belongs to the change's user.
 * @param changes at most one change for each conversation and epoch, and at most one row for each segment.
 * @param holder the writer. If it is `endedHolder`, older values do not replace newer values of the conversation.
 * @param voices voices of the speakers of some of these conversations. They are written with their conversation's
 *   change.
 * @returns the `id:epoch` of the written changes. The other changes were not stored.
 */
export const commitChanges = async (
  sql: Sql | TransactionSql,
  changes: readonly SpilledChange[],
  holder: Holder,
  voices: readonly WrittenVoices[] = [],
): Promise<ReadonlySet<string>> => {
  // Rows are locked in this order, so that two transactions do not wait for each other's rows.
  const inOrder = [...changes].sort((one, other) => (one.conversation.id < other.conversation.id ? -1 : 1));
  const heads = inOrder.map((change) => ({
    id: change.conversation.id,
    uid: change.conversation.uid,
    epoch: change.epoch,
    started: change.startedAt,
    last_speech: change.lastSpeechAt,
    probability: change.speechProbability,
    language: change.spoken?.language ?? null,
    spoken: change.spoken?.times ?? null,
    clock: change.audio?.clock ?? null,
    confirmed: change.audio?.confirmed ?? null,
    began: change.audio?.began ?? null,
  }));
  const owned = await sql<{ id: string; epoch: number }[]>`
    with owned as (
      update conversations as c set
        started_at = least(c.started_at, to_timestamp(head.started / 1000)),
        last_speech_at = greatest(c.last_speech_at, to_timestamp(head.last_speech / 1000)),
        ${holder === endedHolder ? lateValues(sql) : currentValues(sql)},
        engine = ${holder}, updated_at = now()
      from jsonb_to_recordset(${sql.json(heads)})
        as head(id uuid, uid text, epoch bigint, started double precision, last_speech double precision, probability real,
          language text, spoken jsonb, clock text, confirmed double precision[],
          began double precision)
      where c.id = head.id and c.uid = head.uid and c.epoch = head.epoch and c.status = 'in_progress' and c.deleted_at is null
      returning c.id, c.uid, c.epoch
    ), written as (${upsertSegments(sql, changes.flatMap(rowsOf), 'owned')})
    ${voices.length === 0 ? sql`` : sql`, known as (${upsertVoices(sql, voices, 'owned')})`}
    select id, epoch from owned`;
  return new Set(owned.map(({ id, epoch }) => leaseKey(id, epoch)));
};

/**
 * Writes the segments of a spilled change whose epoch is no longer current. The segments must not be lost, because the
 * change was already reported as safe. The lease is not changed. A conversation that was processed without these
 * segments is processed again. A conversation that was removed as empty is inserted again. Conversations that their
 * user deleted stay deleted, and so do conversations of a deleted account. Clients may propose ids, so a conversation
 * of another user may have the id by now. The segments are then stored in a new conversation with a different id.
 */
export const commitFencedChange = async (sql: TransactionSql, change: SpilledChange): Promise<void> => {
  if (change.rows.length === 0) return;
  const current = await beginLocked(sql, change);
  if (current === 'foreign') {
    const id = rescuedConversationId(change.conversation);
    return commitFencedChange(sql, { ...change, conversation: { ...change.conversation, id } });
  }
  if (current === 'unwanted') return;
  const changed = await upsertSegments(sql, await rowsOfLostLease(sql, change, current), 'conversations');
  await sql`
    update conversations set started_at = least(started_at, ${timestamp(sql, change.startedAt)}),
      last_speech_at = greatest(last_speech_at, ${timestamp(sql, change.lastSpeechAt)}),
      language = case language when ${automaticLanguage} then ${change.spoken?.language ?? automaticLanguage} else language end,
      audio_confirmed_ms = ${latePosition(sql, change)},
      audio_clock = coalesce(audio_clock, ${change.audio?.clock ?? null})
    where id = ${change.conversation.id}`;
  if (changed.length === 0) return;
  const again = await sql`
    update conversations set status = 'processing', revision = revision + 1, claimed_at = null, updated_at = now()
    where id = ${change.conversation.id} and status <> 'in_progress' and deleted_at is null
    returning 1`;
  if (again.length > 0) await announce(sql, 'conversation_finished', change.conversation.id);
};

/**
 * Returns SQL for the stored audio position after a late change. The position advances only if it has reached
 * `newest.after`, the position at which the change before this one ended. So the position never covers audio whose
 * words are not stored.
 */
const latePosition = (sql: TransactionSql, { audio }: SpilledChange) => {
  if (!audio) return sql`audio_confirmed_ms`;
  const confirmed = sql`${[...audio.confirmed]}::double precision[]`;
  if (audio.newest === undefined)
    return sql`case when audio_clock is null then ${confirmed} else audio_confirmed_ms end`;
  return sql`
    case when audio_clock is null then ${confirmed} when audio_clock = ${audio.clock} and not exists (
        select from unnest(audio_confirmed_ms, ${[...audio.newest.after]}::double precision[]) as track(stored, after)
        where track.stored is null or track.stored < track.after)
      then (select array_agg(greatest(stored, late) order by track)
        from unnest(audio_confirmed_ms, ${confirmed}) with ordinality as position(stored, late, track))
      else audio_confirmed_ms end`;
};

/**
 * Inserts a conversation unless it exists, and locks its row, because `sweepOrphans` may be removing it at the same
 * time. A new row gets the epoch of the change, so that writes under earlier leases are still refused.
 * @returns the current lease. `unwanted` when the user has deleted the conversation or the account; nothing may be
 *   written then. `foreign` when the id belongs to another user's conversation, which is not locked.
 */
const beginLocked = async (
  sql: TransactionSql,
  { conversation, epoch }: SpilledChange,
): Promise<CurrentLease | 'unwanted' | 'foreign'> => {
  const { id, uid } = conversation;
  for (;;) {
    await beginConversation(sql, conversation, endedHolder, epoch);
    const [row] = await sql<(CurrentLease & { deleted: boolean })[]>`
      select epoch, continued_from, status = 'in_progress' as in_progress, deleted_at is not null as deleted
      from conversations where id = ${id} and uid = ${uid} for no key update`;
    if (row) return row.deleted ? 'unwanted' : row;
    if (await isDeletedAccount(sql, uid)) return 'unwanted';
    const foreign = await sql`select 1 as foreign_row from conversations where id = ${id} and uid <> ${uid}`;
    if (foreign.length > 0) return 'foreign';
  }
};
