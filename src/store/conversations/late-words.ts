import {
  automaticLanguage,
  type LiveSegment,
  type SegmentChange,
  type StoredSegment,
} from '../../wire/index.js';
import type { RecordingClock } from '../../wire/records/index.js';
import { isDeletedAccount } from '../accounts/index.js';
import { announce, lockForUser, type Sql, type TransactionSql } from '../client/index.js';
import { requestSteps } from '../jobs/index.js';
import { timestamp } from '../live/index.js';
import { lockConversationId } from '../proposals/index.js';
import type { ConversationRow } from '../record/index.js';
import { recordSpeech, type SpeechUsage } from '../records/index.js';
import {
  jsonRows,
  type StoredRow,
  storedSegment,
  transcriptColumns,
  upsertSegments,
  writtenRow,
} from '../segments/index.js';

/** Data that identifies the conversation of late words: words transcribed after their stream had ended. */
export interface LatePlace {
  readonly uid: string;
  /**
   * Id of the conversation. Null: the words belong to the conversation that was in progress at their time, or to a new
   * conversation.
   */
  readonly conversation: string | null;
  /** Source of the conversation. Null matches any source. */
  readonly source: string | null;
  /** Source of a conversation made for these words when `source` is null. */
  readonly madeSource?: string;
  readonly device: string | null;
  readonly platform: string | null;
  readonly language: string;
  /** Start and end of the words by wall clock, ms. */
  readonly from: number;
  readonly to: number;
  /**
   * The clock that measured `from` and `to`; the device's clock when absent. Words only match conversations timed by
   * the same kind of clock.
   */
  readonly clock?: RecordingClock;
}

const found = 'id, uid, status, epoch, started_at, is_locked, uses_custom_stt';

/** A conversation to change. */
export interface FoundConversation extends ConversationRow<typeof found> {
  readonly deleted: boolean;
}

/**
 * `open`: the conversation is in progress or waits for its summary, so nothing can be stored yet. `gone`: the user has
 * deleted the conversation or the account, so the words are dropped.
 */
export type LateTarget =
  | { readonly kind: 'open' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'new'; readonly id: string | null }
  | { readonly kind: 'found'; readonly row: FoundConversation };

/** The columns of a `FoundConversation` as a select list. */
export const foundColumns = `${found}, deleted_at is not null as deleted`;

/**
 * Serializes transactions that store late words of a user. Otherwise two jobs could make two conversations for the same
 * time.
 */
export const lockLateWords = (sql: TransactionSql, uid: string): Promise<void> =>
  lockForUser(sql, 'late words', uid);

/**
 * Returns a query for the conversation that now contains what `conversation` recorded at the time `from`. It is a
 * different conversation if `conversation` was split, or if it or its part was merged into another conversation.
 */
const partAt = (sql: Sql | TransactionSql, conversation: string, from: number) => {
  const begun = sql`coalesce(part.started_at, part.created_at)`;
  const isBegun = sql`${begun} <= ${timestamp(sql, from)}`;
  return sql`
    select coalesce(part.merged_into, part.id) from conversations named join conversations part
      on part.id = named.id or part.split_from = named.id
    where named.id = ${conversation}
    order by ${isBegun} desc, case when ${isBegun} then ${begun} end desc, part.id = named.id desc limit 1`;
};

/**
 * Finds the conversation of late words, and locks it when called in a transaction. Clients may propose ids, so the
 * given id may belong to another user by now. In this case, the words go to the conversation of their user that was in
 * progress at their time.
 */
export const findLateTarget = async (sql: Sql | TransactionSql, place: LatePlace): Promise<LateTarget> => {
  const { uid, conversation, source, device, from, to, clock = 'device' } = place;
  if (await isDeletedAccount(sql, uid)) return { kind: 'gone' };
  const [row] =
    conversation !== null
      ? await sql<FoundConversation[]>`
          select ${sql.unsafe(foundColumns)} from conversations
          where id = (${partAt(sql, conversation, from)}) and uid = ${uid} for update`
      : await sql<FoundConversation[]>`
          select ${sql.unsafe(foundColumns)} from conversations
          where uid = ${uid} and clock = ${clock} and merged_into is null and (${source}::text is null
              or (source = ${source}::text and client_device_id is not distinct from ${device}::text))
            and coalesce(started_at, created_at) - make_interval(secs => timeout_seconds) <= ${timestamp(sql, to)}
            and coalesce(finished_at, last_speech_at) + make_interval(secs => timeout_seconds) >= ${timestamp(sql, from)}
          order by greatest(coalesce(started_at, created_at), ${timestamp(sql, from)})
            - least(coalesce(finished_at, last_speech_at), ${timestamp(sql, to)}), id
          limit 1 for update`;
  if (row === undefined) {
    if (conversation === null) return { kind: 'new', id: null };
    const foreign = await sql`select 1 as foreign_row from conversations where id = ${conversation}`;
    return foreign.length === 0
      ? { kind: 'new', id: conversation }
      : findLateTarget(sql, { ...place, conversation: null });
  }
  if (row.deleted) return { kind: 'gone' };
  if (row.status !== 'completed' && row.status !== 'failed') return { kind: 'open' };
  return { kind: 'found', row };
};

/** Words to put into a transcript, with functions that compute the changed segments and the speech usage. */
export interface ChangedWords {
  /** Start and end of the words by wall clock, ms. */
  readonly from: number;
  readonly to: number;
  readonly clock?: RecordingClock;
  /** Language of the words. The conversation gets it if its own is unknown. */
  readonly language?: string;
  /** Computes the change of a transcript. @param startedAt wall clock (ms) of the transcript's time 0 */
  readonly change: (stored: readonly StoredSegment[], startedAt: number) => Promise<SegmentChange>;
  /** Computes the speech usage of a transcript. */
  readonly usage: (
    startedAt: number,
    segments: readonly LiveSegment[],
    usesCustomStt: boolean,
  ) => Promise<readonly SpeechUsage[]>;
}

/** Late words with the data that identifies their conversation. */
export type LateWords = LatePlace & ChangedWords;

/**
 * Number of seconds between the last late words and the new summary. Late words that arrive during this pause are
 * covered by the same summary.
 */
const summaryPause = 15;
/** Number of seconds between the last correction of a user and the new summary, so that one summary covers several corrections. */
const correctionPause = 60;

/** Reads the segments of a conversation, in order. */
export const storedSegments = async (sql: TransactionSql, id: string): Promise<StoredSegment[]> => {
  const rows = await jsonRows<StoredRow>(sql as unknown as Sql)`
    select position, revision, by_user, ${sql.unsafe(transcriptColumns)} from segments
    where conversation_id = ${id} and not deleted order by position, id`;
  return rows.map(storedSegment);
};

/**
 * Puts late words into their conversation, in the caller's transaction. A completed conversation is summarised again. A
 * missing conversation is made. A conversation is missing when none was in progress at the time of the words, or when
 * it was removed as empty.
 * @returns the conversation's id. Null when the words are dropped. Undefined when the words cannot be stored yet, and
 *   nothing was changed.
 */
export const mergeLateWords = async (
  sql: TransactionSql,
  words: LateWords,
  newId: string,
): Promise<string | null | undefined> => {
  const { uid, conversation, from, to } = words;
  await lockLateWords(sql, uid);
  if (conversation !== null) await lockConversationId(sql, conversation);
  const target = await findLateTarget(sql, words);
  if (target.kind === 'open') return undefined;
  if (target.kind === 'gone') return null;
  if (target.kind === 'new') {
    const id = target.id ?? newId;
    await sql`
      insert into conversations (id, uid, status, source, language, client_device_id, client_platform, clock, created_at,
        started_at, finished_at, last_speech_at)
      values (${id}, ${uid}, 'processing', ${words.source ?? words.madeSource ?? 'unknown'}, ${words.language}, ${words.device}, ${words.platform},
        ${words.clock ?? 'device'}, ${timestamp(sql, from)}, ${timestamp(sql, from)}, ${timestamp(sql, to)}, ${timestamp(sql, to)})`;
    await write(sql, id, 1, await words.change([], from));
    await announce(sql, 'conversation_finished', id);
    return id;
  }
  await changeFinished(sql, target.row, words);
  return target.row.id;
};

/**
 * Changes the transcript of an ended conversation. The caller's transaction must have locked the conversation. A
 * completed conversation is summarised again.
 */
export const changeFinished = async (
  sql: TransactionSql,
  row: FoundConversation,
  words: ChangedWords,
): Promise<void> => {
  const { from, to } = words;
  const begun = row.started_at?.getTime() ?? from;
  const startedAt = Math.min(begun, from);
  // Words before the first segment move the conversation's start to an earlier time, so all stored segments get later
  // relative times.
  const shift = (begun - startedAt) / 1000;
  if (shift > 0) {
    await sql`
      update segments set start_seconds = start_seconds + ${shift}, end_seconds = end_seconds + ${shift}, revision = revision + 1,
        epoch = ${row.epoch}
      where conversation_id = ${row.id} and not deleted`;
  }
  await write(sql, row.id, row.epoch, await words.change(await storedSegments(sql, row.id), startedAt));
  await sql`
    update conversations set revision = revision + 1, started_at = ${timestamp(sql, startedAt)},
      finished_at = greatest(finished_at, ${timestamp(sql, to)}), last_speech_at = greatest(last_speech_at, ${timestamp(sql, to)}),
      status = case status when 'failed' then 'processing' else status end,
      processing_attempts = case status when 'failed' then 0 else processing_attempts end,
      language = case language when ${automaticLanguage} then ${words.language ?? automaticLanguage} else language end,
      clock = case ${words.clock ?? 'device'} when 'upload' then 'upload' else clock end,
      -- The summary belongs to the earlier transcript.
      generated_by = null, updated_at = now()
    where id = ${row.id}`;
  const transcript = (await storedSegments(sql, row.id)).map(({ segment }) => segment);
  await recordSpeech(
    sql as unknown as Sql,
    row.id,
    row.uid,
    await words.usage(startedAt, transcript, row.uses_custom_stt),
  );
  if (row.status === 'completed' && !row.is_locked) await summariseAgain(sql, row.uid, row.id, summaryPause);
};

/**
 * Records that the user has changed the transcript of a completed conversation, indexes the new words for the search,
 * and requests a new summary. The caller's transaction must have locked the conversation.
 */
export const transcriptCorrected = async (sql: TransactionSql, uid: string, id: string): Promise<void> => {
  await sql`
    update conversations set revision = revision + 1, generated_by = null, updated_at = now() where id = ${id}`;
  await sql`select search_put_conversation(${id})`;
  await summariseAgain(sql, uid, id, correctionPause);
};

const write = async (
  sql: TransactionSql,
  id: string,
  epoch: number,
  { upserts, deletions }: Awaited<ReturnType<LateWords['change']>>,
): Promise<void> => {
  const rows = [
    ...upserts.map(({ segment, position, revision }) => ({ id: segment.id, position, revision, segment })),
    ...deletions.map((deleted) => ({ ...deleted, position: 0, segment: null })),
  ];
  if (rows.length === 0) return;
  await upsertSegments(
    sql,
    rows.map((row) => writtenRow(id, epoch, row)),
    'conversations',
  );
};

/** Requests another summary after a pause in seconds. A further request restarts the pause. */
const summariseAgain = async (sql: TransactionSql, uid: string, id: string, pause: number): Promise<void> => {
  await requestSteps(sql, uid, id, [{ step: 'structure', again: true }]);
  await sql`
    update steps set due_at = now() + make_interval(secs => ${pause})
    where step = 'structure' and key = ${id} and state = 'waiting' and attempts = 0`;
};
