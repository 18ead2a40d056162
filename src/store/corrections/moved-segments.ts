import type { TransactionSql } from '../client/index.js';
import { transcriptColumns } from '../segments/index.js';
import { corrected } from './corrected-segments.js';

/** Columns of a segment that are copied unchanged when it moves: all but its id, position, times and speaker. */
export const movedColumns = transcriptColumns
  .split(', ')
  .filter((name) => !['id', 'start_seconds', 'end_seconds', 'speaker', 'speaker_id'].includes(name))
  .concat('by_user', 'named_alone', 'corrections', 'written_words');
const selected = movedColumns.map((name) => `s.${name}`).join(', ');

/** A segment that moves to another conversation, and its position there. */
export interface MovedSegment {
  readonly id: string;
  readonly position: number;
}

/** The number and the label that a speaker gets in the other conversation. */
export interface MovedSpeaker {
  /** Number of the speaker in the conversation that the segments leave. */
  readonly from: number;
  /** Label of the speaker in the conversation that the segments leave. */
  readonly label: string;
  readonly number: number;
  readonly newLabel: string;
}

/**
 * Moves segments to another conversation. This transaction has locked both conversations. A deleted row without text
 * stays in the first conversation, so that repeated writes of an engine do not restore the segment there. If the
 * segment moves back later, it takes the place of this row. A segment gets a new id if the other conversation already
 * has a segment with its id.
 * @param seconds number of seconds that are added to the segments' times.
 * @param speakers new numbers of speakers. Speakers that are not listed keep their numbers.
 */
export const moveSegments = async (
  sql: TransactionSql,
  { from, to, seconds }: { readonly from: string; readonly to: string; readonly seconds: number },
  segments: readonly MovedSegment[],
  speakers: readonly MovedSpeaker[] = [],
): Promise<void> => {
  await sql`
    insert into segments (conversation_id, id, position, revision, epoch, start_seconds, end_seconds, speaker,
      speaker_id, ${sql.unsafe(movedColumns.join(', '))})
    select ${to}, case when other.id is null then s.id else gen_random_uuid()::text end, moved.position,
      s.revision + 1, owner.epoch, s.start_seconds + ${seconds}::double precision,
      s.end_seconds + ${seconds}::double precision, coalesce(speaker."newLabel", s.speaker),
      coalesce(speaker.number, s.speaker_id), ${sql.unsafe(selected)}
    from jsonb_to_recordset(${sql.json(segments as never)}) as moved (id text, position double precision)
      join segments s on s.conversation_id = ${from} and s.id = moved.id and not s.deleted
      join conversations owner on owner.id = ${to}
      left join segments other on other.conversation_id = ${to} and other.id = s.id and not other.deleted
      left join jsonb_to_recordset(${sql.json(speakers as never)}) as speaker
        ("from" integer, label text, number integer, "newLabel" text)
        on speaker."from" = s.speaker_id and speaker.label = s.speaker
    on conflict (conversation_id, id) do update set ${sql.unsafe(
      ['position', 'start_seconds', 'end_seconds', 'speaker', 'speaker_id', ...movedColumns]
        .filter((name) => !['by_user', 'corrections', 'written_words'].includes(name))
        .map((name) => `${name} = excluded.${name}`)
        .join(', '),
    )}, deleted = false, by_user = true, corrections = segments.corrections + 1, revision = segments.revision + 1,
      written_words = greatest(segments.written_words, excluded.written_words)`;
  await sql`
    update segments set deleted = true, ${sql.unsafe(corrected())}, text = '', translations = '[]', person_id = null
    where conversation_id = ${from} and id = any(${segments.map(({ id }) => id)}::text[]) and not deleted`;
};

/** Changes the positions of segments in their conversation. */
export const placeSegments = async (
  sql: TransactionSql,
  conversationId: string,
  segments: readonly MovedSegment[],
): Promise<void> => {
  if (segments.length === 0) return;
  await sql`
    update segments as s set position = placed.position
    from jsonb_to_recordset(${sql.json(segments as never)}) as placed (id text, position double precision)
    where s.conversation_id = ${conversationId} and s.id = placed.id`;
};

/** A segment's place in its conversation. */
export interface SegmentPlace extends MovedSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Reads the places and texts of a conversation's segments, in order. */
export const segmentPlaces = async (sql: TransactionSql, conversationId: string): Promise<SegmentPlace[]> => [
  ...(await sql<SegmentPlace[]>`
    select id, position, start_seconds as start, end_seconds as end, text from segments
    where conversation_id = ${conversationId} and not deleted order by position, id`),
];

/** A speaker of a conversation. `is_user` and `person_id` are the values of most of the speaker's segments. */
export interface CountedSpeaker {
  readonly number: number;
  readonly label: string;
  readonly is_user: boolean;
  readonly person_id: string | null;
}

/** Reads the speakers of a conversation, by number and label. */
export const speakersOf = async (sql: TransactionSql, conversationId: string): Promise<CountedSpeaker[]> => [
  ...(await sql<CountedSpeaker[]>`
    select distinct on (speaker_id, speaker) speaker_id as number, speaker as label, is_user, person_id from segments
    where conversation_id = ${conversationId} and not deleted
    group by speaker_id, speaker, is_user, person_id
    order by speaker_id, speaker, count(*) desc, person_id`),
];

/**
 * Returns the largest speaker number in a conversation and in all conversations that were split from the same
 * conversation.
 */
export const mostSpeakers = async (sql: TransactionSql, conversationId: string): Promise<number> => {
  const [row] = await sql<{ most: number }[]>`
    select coalesce(max(s.speaker_id), -1) as most
    from conversations named
      join conversations part on part.id in (named.id, named.split_from)
        or part.split_from = coalesce(named.split_from, named.id)
      join segments s on s.conversation_id = part.id
    where named.id = ${conversationId}`;
  return row!.most;
};
