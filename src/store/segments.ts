import type { LiveSegment } from '../wire/segment.js';
import type { Sql } from './database.js';

/** A row of `segments`, with the columns a transcript is made of. */
export interface TranscriptRow {
  readonly conversation_id: string;
  readonly id: string;
  readonly text: string;
  readonly speaker: string;
  readonly speaker_id: number;
  readonly is_user: boolean;
  readonly person_id: string | null;
  readonly start_seconds: number;
  readonly end_seconds: number;
  readonly translations: LiveSegment['translations'];
  readonly speech_profile_processed: boolean;
  readonly stt_provider: string | null;
}

/** A row as the segment it holds. */
export const liveSegment = (row: Omit<TranscriptRow, 'conversation_id'>): LiveSegment => ({
  id: row.id,
  text: row.text,
  speaker: row.speaker,
  speaker_id: row.speaker_id,
  is_user: row.is_user,
  person_id: row.person_id,
  start: row.start_seconds,
  end: row.end_seconds,
  translations: row.translations,
  speech_profile_processed: row.speech_profile_processed,
  stt_provider: row.stt_provider,
});

/** The transcripts of conversations, in order, without what merging absorbed. Every id asked for has an entry. */
export const segmentsOf = async (
  sql: Sql,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly LiveSegment[]>> => {
  const transcripts = new Map<string, LiveSegment[]>(conversationIds.map((id) => [id, []]));
  if (conversationIds.length === 0) return transcripts;
  const rows = await sql<TranscriptRow[]>`
    select conversation_id, id, text, speaker, speaker_id, is_user, person_id, start_seconds, end_seconds,
      translations, speech_profile_processed, stt_provider
    from segments where conversation_id in ${sql(conversationIds as string[])} and not deleted
    order by conversation_id, position, id`;
  for (const row of rows) transcripts.get(row.conversation_id)!.push(liveSegment(row));
  return transcripts;
};

/** Inserts a whole transcript in one statement, in the order given. */
export const insertSegments = async (
  sql: Pick<Sql, 'json'> & Sql,
  conversationId: string,
  segments: readonly LiveSegment[],
): Promise<void> => {
  const rows = segments.map((segment, position) => ({
    id: segment.id,
    conversation_id: conversationId,
    position,
    revision: 1,
    text: segment.text,
    speaker: segment.speaker,
    speaker_id: segment.speaker_id,
    is_user: segment.is_user,
    person_id: segment.person_id,
    start_seconds: segment.start,
    end_seconds: segment.end,
    speech_profile_processed: segment.speech_profile_processed,
    stt_provider: segment.stt_provider,
  }));
  await sql`insert into segments ${sql(rows)}`;
};
