import { automaticLanguage } from '../../wire/index.js';
import type { BegunConversation } from '../../wire/spill/index.js';
import type { TransactionSql } from '../client/index.js';
import type { OpenRow } from '../proposals/index.js';
import {
  type StoredRow,
  speakerLabels,
  speakerNames,
  storedSegment,
  transcriptColumns,
} from '../segments/index.js';
import type { Holder } from './engine-leases.js';
import { epochStep } from './epoch.js';
import type { TakenConversation } from './taken-conversation.js';

/** A stream that continues a conversation. */
export interface Continuation {
  /** The row of the conversation. The transaction has locked it. */
  readonly row: OpenRow;
  readonly begun: BegunConversation;
  readonly readsVoices: boolean;
}

/**
 * Makes a writer the holder of stored conversations, and reads the data that their streams need.
 * @param continuations at most one for each conversation.
 * @returns the taken conversations by id.
 */
export const resumeConversations = async (
  sql: TransactionSql,
  continuations: readonly Continuation[],
  holder: Holder,
): Promise<ReadonlyMap<string, TakenConversation>> => {
  if (continuations.length === 0) return new Map();
  const leases = new Map((await takeLeases(sql, continuations, holder)).map((lease) => [lease.id, lease]));
  const tails = new Map(
    (await readTails(sql, [...leases.keys()])).map((tail) => [tail.conversation_id, tail]),
  );
  const names = await speakerNames(sql, [...tails.keys()]);
  const labelled = continuations.flatMap(({ row, begun }) =>
    transcribesItself(row, begun) && tails.has(row.id) ? [row.id] : [],
  );
  const labels = await speakerLabels(sql, labelled);
  return new Map(
    continuations.map(({ row, begun }) => {
      const { id } = row;
      const speakers = { speakers: names.get(id) ?? [], labels: labels.get(id) ?? [] };
      return [id, { ...resumed(row, begun, leases.get(id)!, tails.get(id)), ...speakers }];
    }),
  );
};

/** Whether a client transcribes the conversation itself. */
const transcribesItself = (row: OpenRow, begun: BegunConversation): boolean =>
  row.uses_custom_stt || begun.usesCustomStt;

interface LeaseRow {
  readonly id: string;
  readonly epoch: number;
  readonly continued_from: number;
  readonly voices: Uint8Array | null;
  readonly voices_epoch: number | null;
}

/**
 * Raises the epochs of conversations for a new holder. If the last holder has released a conversation, or is the same
 * as the new holder, all words are stored. The new holder may then extend earlier segments, so `continued_from` stays.
 */
const takeLeases = (
  sql: TransactionSql,
  continuations: readonly Continuation[],
  holder: Holder,
): Promise<readonly LeaseRow[]> => {
  const takes = continuations.map(({ row, begun, readsVoices }) => ({
    ...epochStep(),
    id: row.id,
    uid: begun.uid,
    timeout: begun.timeout,
    custom: transcribesItself(row, begun),
    asked: readsVoices,
  }));
  return sql<LeaseRow[]>`
    update conversations c set epoch = greatest(c.epoch, take.floor) + take.step,
      continued_from = case when c.engine is null or c.engine = ${holder} then c.continued_from
        else greatest(c.epoch, take.floor) + take.step end,
      engine = ${holder}, timeout_seconds = take.timeout, uses_custom_stt = take.custom, updated_at = now()
    from jsonb_to_recordset(${sql.json(takes)}) as take(id uuid, uid text, floor bigint, step bigint, timeout integer,
      custom boolean, asked boolean)
    left join users u on take.asked and u.uid = take.uid and u.voice_recognition
    left join conversation_voices v on u.uid is not null and v.conversation_id = take.id
    where c.id = take.id returning c.id, c.epoch, c.continued_from, v.voices, v.epoch as voices_epoch`;
};

interface TailRow extends StoredRow {
  readonly conversation_id: string;
  readonly epoch: number;
  readonly total: number;
  readonly last_speaker: number;
  readonly characters: number;
  readonly spoken: number;
}

/** Reads the last segment of each conversation that has segments, and counts and sums over all its segments. */
const readTails = (sql: TransactionSql, ids: readonly string[]): Promise<readonly TailRow[]> => sql<
  TailRow[]
>`
  select tail.* from unnest(${ids as string[]}::uuid[]) as asked(id) cross join lateral (
    select conversation_id, ${sql.unsafe(transcriptColumns)}, position, revision, epoch,
      count(*) over ()::integer as total, max(speaker_id) over () as last_speaker, (sum(length(text) + length(speaker)
      + coalesce(length(person_id), 0) + coalesce(length(stt_provider), 0)) over ())::double precision as characters,
      (1000 * sum(greatest(0, end_seconds - start_seconds)) over ())::double precision as spoken from segments
    where conversation_id = asked.id and not deleted order by position desc, id desc limit 1) as tail`;

const resumed = (
  row: OpenRow,
  begun: BegunConversation,
  lease: LeaseRow,
  tail: TailRow | undefined,
): Omit<TakenConversation, 'speakers' | 'labels'> => ({
  id: row.id,
  epoch: lease.epoch,
  resumed: true,
  conversation: {
    ...begun,
    id: row.id,
    language: row.language,
    clientPlatform: row.client_platform,
    usesCustomStt: transcribesItself(row, begun),
    createdAt: row.created_at.getTime(),
  },
  language: row.language,
  spoken: spokenBefore(row, tail?.spoken ?? 0),
  startedAt: row.started_at?.getTime() ?? null,
  lastSpeechAt: row.last_speech_at.getTime(),
  tail: tail === undefined ? null : storedSegment(tail),
  isTailClosed: (tail?.epoch ?? 0) < lease.continued_from,
  segmentCount: tail?.total ?? 0,
  characters: tail?.characters ?? 0,
  nextSpeaker: tail === undefined ? 0 : tail.last_speaker + 1,
  voices: lease.voices && { epoch: lease.voices_epoch!, voices: lease.voices },
  finished: [],
  past: null,
});

/**
 * Returns the ms of speech by language. If several languages were spoken, the result is `spoken_ms`, which engines
 * store with each change. With a single language, the stored value may be outdated, so the total length of all segments
 * is used.
 * @param spoken length of all segments in ms.
 */
const spokenBefore = (
  { language, spoken_ms: times }: { language: string; spoken_ms: Readonly<Record<string, number>> | null },
  spoken: number,
): Readonly<Record<string, number>> => {
  if (times !== null && Object.keys(times).length > 1) return times;
  return spoken === 0 || language === automaticLanguage ? {} : { [language]: spoken };
};

interface TailRow extends StoredRow {
  readonly epoch: number;
  readonly total: number;
  readonly last_speaker: number;
  readonly characters: number;
  readonly spoken: number;
}
