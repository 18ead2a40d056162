import { validate as isUuid } from 'uuid';
import type { Structured } from './conversation-record.js';
import { emptyStructured } from './conversation-record.js';
import type { Sql } from './database.js';
import { moment, type Page, type Position } from './page.js';
import { uuidsOf } from './rows-by-id.js';

/** A moment in UTC in the form of the API; a fraction, in microseconds but cut to milliseconds, only where there is one. */
const shownMoment = (column: string): string =>
  `replace(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"'), '.000000Z', 'Z')`;

/** A moment with all its six digits, for a position in a list. */
const exactMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const uuidForm = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
const summaryKeys = Object.keys(emptyStructured satisfies Structured)
  .map((name) => `'${name}'`)
  .join(', ');

/**
 * The name of who said a segment `s` of a conversation `c`: the user's own, that of a person the user knows, or a number; and the
 * tables that it is read from.
 */
export const speakerNames = {
  column: `case when s.is_user then coalesce(u.name, 'User') else coalesce(p.name, 'Speaker ' || s.speaker_id) end`,
  joins: `
    left join users u on u.uid = c.uid
    left join people p on p.uid = c.uid and p.id = case when s.person_id ~ '${uuidForm}' then s.person_id::uuid end`,
} as const;

/** The segments of a conversation `c`, with the user's own name, those of people the user knows, and a number for everyone else. */
const transcript = `(
  select coalesce(json_agg(json_build_object(
    'id', s.id, 'text', s.text, 'speaker_id', s.speaker_id,
    'speaker_name', ${speakerNames.column},
    'start', s.start_seconds, 'end', s.end_seconds) order by s.position, s.id), '[]')
  from segments s
    ${speakerNames.joins}
  where s.conversation_id = c.id and not s.deleted)`;

/** A conversation `c` as the API shows it: without internal values. */
const shown = (withTranscript: boolean): string => `json_build_object(
  'id', c.id, 'created_at', ${shownMoment('c.created_at')}, 'started_at', ${shownMoment('c.started_at')},
  'finished_at', ${shownMoment('c.finished_at')},
  'structured', case when c.structured ?& array[${summaryKeys}] then c.structured
    else '${JSON.stringify(emptyStructured)}'::jsonb || coalesce(c.structured, '{}') end,
  'language', c.language, 'source', c.source, 'status', c.status, 'discarded', c.discarded, 'starred', c.starred,
  'transcript_segments', ${withTranscript ? transcript : 'null'}, 'geolocation', c.geolocation, 'folder_id', c.folder_id,
  'folder_name', (select nullif(name, '') from folders where id = c.folder_id and uid = c.uid))`;

const withTranscript = shown(true);
const withoutTranscript = shown(false);

/** A row of a statement whose values are left as the server wrote them. */
type RawRow = readonly (Buffer | null)[];

/**
 * One of a user's conversations as JSON text in UTF-8, in any status; null when it is unknown, deleted or locked. The database
 * makes the text, and nothing between it and the client parses it.
 */
export const readConversationDocument = async (
  sql: Sql,
  uid: string,
  id: string,
  transcript: boolean,
): Promise<Buffer | null> => {
  if (!isUuid(id)) return null;
  const [row] = (await sql`
    select ${sql.unsafe(transcript ? withTranscript : withoutTranscript)} from conversations c
    where id = ${id} and uid = ${uid} and deleted_at is null and not is_locked`.raw()) as unknown as RawRow[];
  return row?.[0] ?? null;
};

export interface ConversationFilter extends Page {
  /** Inclusive bounds on `created_at`, to the millisecond. */
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  /** Of which one has to match; all when absent or empty. */
  readonly categories?: readonly string[] | undefined;
  readonly folderId?: string | null | undefined;
  readonly starred?: boolean | null | undefined;
  /** Whether the segments are read, too. */
  readonly transcript: boolean;
}

/** A part of a list as JSON text in UTF-8, an array. */
export interface ListedDocument {
  readonly document: Buffer;
  /** Elements of the array. */
  readonly count: number;
  /** Position of the last row; null when no row follows it. */
  readonly next: Position | null;
}

const nothing: ListedDocument = { document: Buffer.from('[]'), count: 0, next: null };

/** One category is compared by itself, because only then does the index give the rows in the order of the list. */
const categoryIn = (sql: Sql, categories: readonly string[]) =>
  categories.length === 1
    ? sql`and structured->>'category' = ${categories[0]!}`
    : sql`and structured->>'category' = any(${categories as string[]})`;

const last = `json_build_array(${exactMoment('c.created_at')}, c.id)`;

/**
 * A part of a user's completed conversations, newest first, without those that are discarded or locked. Filters combine, and
 * are applied before the part is made. One row more than the part has is read, which only shows that more follow.
 */
export const listConversationDocuments = async (
  sql: Sql,
  uid: string,
  filter: ConversationFilter,
): Promise<ListedDocument> => {
  const { from, to, categories, folderId, starred, after, limit, offset } = filter;
  if (folderId && !isUuid(folderId)) return nothing;
  const [created, id] = after ?? [];
  const [row] = (await sql`
    select least(count(*), ${limit}::integer),
      json_agg(${sql.unsafe(filter.transcript ? withTranscript : withoutTranscript)}) filter (where n <= ${limit}::integer),
      case when count(*) > ${limit}::integer
        then json_agg(${sql.unsafe(last)}) filter (where n = ${limit}::integer)->0 end
    from (
      select *, row_number() over () as n from (
        select * from conversations
        where uid = ${uid} and status = 'completed' and not discarded and deleted_at is null and not is_locked
          ${from ? sql`and created_at >= ${from}` : sql``}
          ${to ? sql`and created_at < ${to}::timestamptz + interval '1 millisecond'` : sql``}
          ${categories?.length ? categoryIn(sql, categories) : sql``}
          ${folderId ? sql`and folder_id = ${folderId}` : sql``}
          ${typeof starred === 'boolean' ? (starred ? sql`and starred` : sql`and not starred`) : sql``}
          ${after ? sql`and (created_at, id) < (${moment(sql, created!)}, ${id!}::uuid)` : sql``}
        order by created_at desc, id desc limit ${limit + 1} offset ${offset}) as part
    ) as c`.raw()) as unknown as RawRow[];
  const [count, document, next] = row!;
  if (!document) return nothing;
  return { document, count: Number(count), next: next ? (JSON.parse(next.toString()) as Position) : null };
};

/** A conversation as the API shows it, without its transcript. */
export interface ConversationDocument {
  readonly id: string;
  readonly document: {
    readonly id: string;
    readonly created_at: string;
    readonly started_at: string | null;
    readonly structured: Structured;
    readonly [name: string]: unknown;
  };
}

/** Those of these conversations that a list of the user's would show, in any order. */
export const conversationDocumentsById = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
): Promise<ConversationDocument[]> => [
  ...(await sql<ConversationDocument[]>`
    select c.id, ${sql.unsafe(withoutTranscript)} as document from conversations c
    where id = any(${uuidsOf(ids)}::uuid[]) and uid = ${uid} and status = 'completed' and not discarded
      and deleted_at is null and not is_locked`),
];
