import type { TransactionSql } from '../client/index.js';
import { corrected } from './corrected-segments.js';

/** Who speaks a segment: the user, one of the user's people, or an unknown person. */
export interface SpeakerOf {
  readonly is_user: boolean;
  readonly person_id: string | null;
}

/** The state of a segment before its speaker was named. */
export interface NamedBefore extends SpeakerOf {
  readonly id: string;
  /** Revision of the segment after the change. */
  readonly revision: number;
  readonly by_user: boolean;
  readonly named_alone: boolean;
}

/**
 * Assigns a person to segments of a speaker. The transaction must have locked the conversation. Automatic writes then
 * keep the person. The statement joins rows by their place in the table (`ctid`). If it joined them by id and the
 * planner had old statistics, its time could grow with the square of the number of segments.
 * @param speakerId number of the speaker in the conversation.
 * @param segmentIds the segments to change. Null: all segments of the speaker, except segments that an earlier call
 *   named by their ids (`named_alone`).
 * @returns the changed segments in their earlier state.
 */
export const nameSpeaker = async (
  sql: TransactionSql,
  conversationId: string,
  speakerId: number,
  { is_user, person_id }: SpeakerOf,
  segmentIds: readonly string[] | null,
): Promise<NamedBefore[]> => [
  ...(await sql<NamedBefore[]>`
    with before as (
      select ctid as place, is_user, person_id, by_user, named_alone from segments
      where conversation_id = ${conversationId} and speaker_id = ${speakerId} and not deleted
        and ${segmentIds === null ? sql`not named_alone` : sql`id = any(${segmentIds as string[]}::text[])`}
        and (is_user <> ${is_user} or person_id is distinct from ${person_id}::text or not by_user)
      for update)
    update segments as s set is_user = ${is_user}, person_id = ${person_id}, named_alone = ${segmentIds !== null},
      ${sql.unsafe(corrected('s.'))}
    from before where s.ctid = before.place
    returning s.id, s.revision, before.is_user, before.person_id, before.by_user, before.named_alone`),
];

/**
 * Counts the segments of a conversation's speaker. If `segmentIds` is not null, counts only segments with these ids.
 */
export const countOfSpeaker = async (
  sql: TransactionSql,
  conversationId: string,
  speakerId: number,
  segmentIds: readonly string[] | null,
): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from segments
    where conversation_id = ${conversationId} and speaker_id = ${speakerId} and not deleted
      ${segmentIds === null ? sql`` : sql`and id = any(${segmentIds as string[]}::text[])`}`;
  return row!.count;
};

/** Returns which of these people speak no segment of a conversation. */
export const silentPeople = async (
  sql: TransactionSql,
  conversationId: string,
  personIds: readonly string[],
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select given.id from unnest(${personIds as string[]}::text[]) as given (id)
    where not exists (select from segments s
      where s.conversation_id = ${conversationId} and s.person_id = given.id and not s.deleted)`;
  return rows.map(({ id }) => id);
};

/**
 * Undoes `nameSpeaker` for segments that have not changed since. If the user had not corrected a segment before,
 * automatic writes may change the segment again.
 * @returns the number of restored segments.
 */
export const restoreSpeakers = async (
  sql: TransactionSql,
  conversationId: string,
  before: readonly NamedBefore[],
): Promise<number> => {
  const restored = await sql`
    update segments as s set is_user = given.is_user, person_id = given.person_id, by_user = given.by_user,
      named_alone = given.named_alone, corrections = s.corrections + 1, revision = s.revision + 1,
      written_words = case when given.by_user then s.written_words end
    from jsonb_to_recordset(${sql.json(before as never)}) as given
      (id text, revision bigint, is_user boolean, person_id text, by_user boolean, named_alone boolean)
    where s.conversation_id = ${conversationId} and s.id = given.id and s.revision = given.revision and not s.deleted
    returning 1 as restored`;
  return restored.length;
};
