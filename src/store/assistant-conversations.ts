import { validate as isUuid } from 'uuid';
import { arrayLiteral } from './array-types.js';
import { speakerNames } from './conversation-documents.js';
import type { Structured } from './conversation-record.js';
import type { Sql } from './database.js';
import { inOrder, uuidsOf } from './rows-by-id.js';

/** A conversation without its transcript. */
export interface ConversationCardRow {
  readonly id: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly language: string | null;
  readonly structured: Partial<Structured> | null;
  readonly is_locked: boolean;
}

const columns = 'id, created_at, started_at, finished_at, language, structured, is_locked';
const listed = `status = 'completed' and not discarded and deleted_at is null`;

export interface CardSelection {
  /** Inclusive bounds on `created_at`. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** Of which one has to match; null for all. */
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

/** A part of a user's completed conversations, newest first, locked ones included, with one row more where more follow. */
export const selectCards = async (
  sql: Sql,
  uid: string,
  { from, to, categories, limit, offset }: CardSelection,
): Promise<ConversationCardRow[]> => {
  const values = [uid, from, to, categories && arrayLiteral(categories), limit + 1, offset];
  return [...(await sql.unsafe<ConversationCardRow[]>(selectionText, values as never, { prepare: true }))];
};

/** Those of these conversations that belong to the user and are completed, in the order of `ids`. */
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

/** A conversation with what is known about it. */
export interface WholeConversationRow extends ConversationCardRow {
  readonly source: string | null;
  readonly status: string;
  readonly discarded: boolean;
  readonly starred: boolean;
}

/** One of a user's conversations, in any status; null when it is unknown or deleted. */
export const readWhole = async (sql: Sql, uid: string, id: string): Promise<WholeConversationRow | null> => {
  if (!isUuid(id)) return null;
  const [row] = await sql<WholeConversationRow[]>`
    select ${sql.unsafe(columns)}, source, status, discarded, starred from conversations
    where id = ${id} and uid = ${uid} and deleted_at is null`;
  return row ?? null;
};

/** What was said. */
export interface SpokenRow {
  readonly id: string;
  readonly text: string;
  readonly speaker_id: number;
  readonly speaker_name: string;
  readonly is_user: boolean;
  readonly person_id: string | null;
  readonly start: number;
  readonly end: number;
}

/** The first segments of a conversation, in their order. */
export const spokenIn = async (sql: Sql, id: string, most: number): Promise<SpokenRow[]> => [
  ...(await sql<SpokenRow[]>`
    select s.id, s.text, s.speaker_id, ${sql.unsafe(speakerNames.column)} as speaker_name, s.is_user, s.person_id,
      s.start_seconds as start, s.end_seconds as end
    from conversations c join segments s on s.conversation_id = c.id and not s.deleted
      ${sql.unsafe(speakerNames.joins)}
    where c.id = ${id} order by s.position, s.id limit ${most}`),
];

/** A segment in which words of a search occur. */
export interface MatchingRow {
  readonly conversation_id: string;
  readonly id: string;
  readonly text: string;
  readonly speaker_id: number;
  readonly start: number;
  readonly end: number;
}

const literal = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** Segments of a user's conversations in which one of some words occurs, the first ones of each conversation. */
export const segmentsWith = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
  words: readonly string[],
  most: number,
): Promise<MatchingRow[]> => {
  const known = uuidsOf(ids);
  if (known.length === 0 || words.length === 0) return [];
  return [
    ...(await sql<MatchingRow[]>`
      select c.id as conversation_id, s.* from conversations c cross join lateral (
        select id, text, speaker_id, start_seconds as start, end_seconds as end from segments
        where conversation_id = c.id and not deleted and text ilike any(${words.map(literal)})
        order by position, id limit ${most}) as s
      where c.id = any(${known}) and c.uid = ${uid} and not c.is_locked`),
  ];
};

/** What people said, the newest first. */
export interface SaidByPerson {
  readonly person_id: string;
  readonly text: string;
}

/** Conversations in which it is looked for what people said. */
const sampledConversations = 100;

/** At most `most` things that each of a user's people said in the latest conversations. */
export const samplesOfPeople = async (sql: Sql, uid: string, most: number): Promise<SaidByPerson[]> => [
  ...(await sql<SaidByPerson[]>`
    select person_id, text from (
      select s.person_id, s.text, row_number() over (partition by s.person_id order by c.created_at desc, s.position desc) as n
      from (
        select id, created_at from conversations
        where uid = ${uid} and ${sql.unsafe(listed)} and not is_locked
        order by created_at desc, id desc limit ${sampledConversations}) as c
      join segments s on s.conversation_id = c.id
      where not s.deleted and s.person_id is not null and s.text <> '') as said
    where n <= ${most} order by person_id, n`),
];
