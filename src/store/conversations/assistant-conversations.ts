import { validate as isUuid } from 'uuid';
import type { LiveSegment } from '../../wire/index.js';
import { arrayLiteral, firstRow, inOrder, preparedText, type Sql, uuidsOf } from '../client/index.js';
import { speakerNames } from '../pieces/index.js';
import type { ConversationRow } from '../record/index.js';

const columns = 'id, created_at, started_at, finished_at, language, structured, is_locked';

/** A conversation without its transcript. */
export type ConversationCardRow = ConversationRow<typeof columns>;

const listed = `status = 'completed' and not discarded and deleted_at is null`;

export interface CardSelection {
  /** Inclusive bounds on `created_at`; null for no bound. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** Selects conversations with one of these categories; null for all. */
  readonly categories: readonly string[] | null;
  readonly limit: number;
  readonly offset: number;
}

const selectionText = `
  select ${columns} from conversations
  where uid = $1 and ${listed}
    and ($2::timestamptz is null or created_at >= $2)
    and ($3::timestamptz is null or created_at <= $3)
    and ($4::text[] is null or structured->>'category' = any($4))
  order by created_at desc, id desc limit $5 offset $6`;

/**
 * Reads a page of a user's completed conversations, newest first, including locked ones. Returns `limit + 1` rows when
 * more follow.
 */
export const selectCards = async (
  sql: Sql,
  uid: string,
  { from, to, categories, limit, offset }: CardSelection,
): Promise<ConversationCardRow[]> => {
  const values = [
    uid,
    from?.toISOString() ?? null,
    to?.toISOString() ?? null,
    categories && arrayLiteral(categories),
    limit + 1,
    offset,
  ];
  return [...(await preparedText<ConversationCardRow[]>(sql, selectionText, values))];
};

/** Reads the user's completed conversations among `ids`, in the order of `ids`. */
export const cardsById = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
): Promise<ConversationCardRow[]> => {
  const known = uuidsOf(ids);
  if (known.length === 0) return [];
  const rows = await sql<ConversationCardRow[]>`
    select ${sql.unsafe(columns)} from conversations
    where id = any(${known}) and uid = ${uid} and ${sql.unsafe(listed)}`;
  return inOrder([...rows], known);
};

const whole = `${columns}, source, status, discarded, starred` as const;

/** A conversation with all its properties, without its transcript. */
export type WholeConversationRow = ConversationRow<typeof whole>;

/** Reads a conversation of a user, in any status. Null when it is unknown or deleted. */
export const readWhole = async (sql: Sql, uid: string, id: string): Promise<WholeConversationRow | null> => {
  if (!isUuid(id)) return null;
  return firstRow(sql<WholeConversationRow[]>`
    select ${sql.unsafe(whole)} from conversations
    where id = ${id} and uid = ${uid} and deleted_at is null`);
};

/** A segment of a transcript, with the speaker's name. */
export interface SpokenRow
  extends Omit<LiveSegment, 'speaker' | 'speech_profile_processed' | 'stt_provider'> {
  readonly speaker_name: string;
}

/**
 * Reads the first segments of a conversation, in order. There are at most `most` segments. A segment that begins after
 * the first `characters` characters of the transcript is left out.
 */
export const spokenIn = async (
  sql: Sql,
  id: string,
  most: number,
  characters: number,
): Promise<SpokenRow[]> => [
  ...(await sql<SpokenRow[]>`
    select s.id, s.text, s.speaker_id, ${sql.unsafe(speakerNames.column)} as speaker_name, s.is_user, s.person_id,
      s.start_seconds as start, s.end_seconds as end, s.translations
    from conversations c cross join lateral (
      select first.*, sum(length(text)) over (order by position, id) - length(text) as begins
      from (
        select * from segments where conversation_id = c.id and not deleted
        order by position, id limit ${most}) as first) as s
      ${sql.unsafe(speakerNames.joins)}
    where c.id = ${id} and s.begins <= ${characters} order by s.position, s.id`),
];

/** A segment that contains words of a search. */
export interface MatchingRow extends Pick<LiveSegment, 'id' | 'speaker_id' | 'start' | 'end'> {
  readonly conversation_id: string;
  /** The segment's text. A long text is reduced to the part around the first search word. */
  readonly text: string;
}

const literal = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** Size of the beginning of each conversation that is searched for excerpts. The word index covers the same part. */
const lookedThrough = { segments: 1000, bytes: 50_000 } as const;

export interface Excerpts {
  /** Maximum number of segments from each conversation. */
  readonly most: number;
  /** Maximum number of code points in each text. */
  readonly length: number;
}

/** Returns the first segments of each conversation that contain a search word. */
export const segmentsWith = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
  words: readonly string[],
  { most, length }: Excerpts,
): Promise<MatchingRow[]> => {
  const known = uuidsOf(ids);
  if (known.length === 0 || words.length === 0) return [];
  const { segments, bytes } = lookedThrough;
  return [
    ...(await sql<MatchingRow[]>`
      select c.id as conversation_id, s.id, s.speaker_id, s.start, s.end,
        case when length(s.text) <= ${length} then s.text else substr(s.text, greatest(1, ${-Math.floor(length / 4)}::integer + coalesce((
          select min(nullif(strpos(lower(s.text), word), 0)) from unnest(${words as string[]}::text[]) as word), 1)), ${length}) end as text
      from conversations c cross join lateral (
        select id, speaker_id, start, "end", position, left(text, ${bytes}) as text from (
          select *, sum(octet_length(text)) over (order by position, id) - octet_length(text) as begins from (
            select id, position, speaker_id, start_seconds as start, end_seconds as end, text from segments
            where conversation_id = c.id and not deleted order by position, id limit ${segments}) as first) as measured
        where begins < ${bytes} and left(text, ${bytes}) ilike any(${words.map(literal)})
        order by position, id limit ${most}) as s
      where c.id = any(${known}) and c.uid = ${uid} and not c.is_locked
      order by c.id, s.position, s.id`),
  ];
};

/** A text that a person said. */
export interface SaidByPerson {
  readonly person_id: string;
  readonly text: string;
}

/** Limits of the search for samples: number of latest conversations, and number of last segments in each. */
const sampled = { conversations: 100, segments: 200 } as const;

/**
 * Returns recent texts of each of a user's people, newest first. Each person has at most `most` texts, shortened to
 * `length` characters.
 */
export const samplesOfPeople = async (
  sql: Sql,
  uid: string,
  { most, length }: Excerpts,
): Promise<SaidByPerson[]> => [
  ...(await sql<SaidByPerson[]>`
    select person_id, left(text, ${length}) as text from (
      select s.person_id, s.text, row_number() over (partition by s.person_id order by c.created_at desc, c.id desc, s.position desc) as n
      from (
        select id, created_at from conversations
        where uid = ${uid} and ${sql.unsafe(listed)} and not is_locked
        order by created_at desc, id desc limit ${sampled.conversations}) as c
      cross join lateral (
        select person_id, position, text from segments where conversation_id = c.id and not deleted
        order by position desc limit ${sampled.segments}) as s
      where s.person_id is not null and s.text <> '') as said
    where n <= ${most} order by person_id, n`),
];
