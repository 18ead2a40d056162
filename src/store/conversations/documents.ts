import { validate as isUuid } from 'uuid';
import { type KeyWork, readingWork } from '../accounts/index.js';
import {
  arrayLiteral,
  type Page,
  type Period,
  type Position,
  preparedRaw,
  type Sql,
  type TextValue,
  uuidsOf,
} from '../client/index.js';
import { conversationJson, piece, type Tasks, tasksIf } from '../pieces/index.js';
import type { Structured } from '../record/index.js';

/** Returns SQL that writes a time with six fractional digits, for a position in a list. */
export const exactMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// The selection of rows comes first in these SQL texts, because the log shows only the beginning of a slow statement.
const readText = (document: string, id = '$1', uid = '$2'): string => `
  with c as (select * from conversations where id = ${id} and uid = ${uid} and deleted_at is null and not is_locked)
  select ${document} as done from c`;

/**
 * Returns SQL that reads a conversation with its transcript as JSON text. If this text has more than `piece.bytes`
 * bytes, the SQL returns an empty text. The database can measure the text only after it has built the text.
 */
const readWithTranscript = (tasks: Tasks, id?: string, uid?: string): string => `
  select case when octet_length(made.done) <= ${piece.bytes} then made.done else '' end as done
  from (${readText(`(${conversationJson[tasks].with})::text`, id, uid)} offset 0) as made`;

const readTextsOf = (tasks: Tasks) => ({
  with: readWithTranscript(tasks),
  without: readText(conversationJson[tasks].without),
});
const readTexts = { shown: readTextsOf('shown'), hidden: readTextsOf('hidden') } as const;

const allowedUser = '(select uid from allowed)';
const readingTexts = {
  with: readingWork(readWithTranscript('by key', '$8', allowedUser)),
  without: readingWork(readText(conversationJson['by key'].without, '$8', allowedUser)),
} as const;

/**
 * Returns SQL that does the same as `readConversationDocument`, as a part of the statement that checks the request's
 * API key. Tasks are included when the key may read tasks. Null when `id` is not a UUID.
 */
export const conversationReading = (id: string, transcript: boolean): KeyWork | null =>
  isUuid(id) ? { text: transcript ? readingTexts.with : readingTexts.without, values: [id] } : null;

/**
 * Reads a conversation of a user in any status, as JSON text in UTF-8. Null when it is unknown, deleted or locked. The
 * database makes the text, and the server sends it to the client without parsing it. A text with transcript of more
 * than `piece.bytes` bytes is not returned; the result is then an empty buffer.
 * @param tasks false: the list of tasks is empty.
 */
export const readConversationDocument = async (
  sql: Sql,
  uid: string,
  id: string,
  transcript: boolean,
  tasks: boolean,
): Promise<Buffer | null> => {
  if (!isUuid(id)) return null;
  const texts = tasks ? readTexts.shown : readTexts.hidden;
  const [row] = await preparedRaw(sql, transcript ? texts.with : texts.without, [id, uid]);
  return row?.[0] ?? null;
};

export interface ConversationFilter extends Page, Period {
  /** Selects conversations with one of these categories; all when absent or empty. */
  readonly categories?: readonly string[] | undefined;
  readonly folderId?: string | null | undefined;
  readonly starred?: boolean | null | undefined;
  /** Id of a person who speaks in the conversation; `me` for the user. */
  readonly speaker?: string | undefined;
  /** Whether documents include the segments. */
  readonly transcript: boolean;
  /** Whether documents include tasks. `conversationListing` ignores this field, because the key's scopes decide. */
  readonly tasks: boolean;
}

/** A page of a list. */
export interface ListedDocument {
  /** The first conversations of the page as a JSON array in UTF-8, up to `piece.bytes`. */
  readonly document: Buffer;
  /** Number of conversations in the page. */
  readonly count: number;
  /** Position of the last conversation of the page; null when no conversation follows. */
  readonly next: Position | null;
  /** Ids of the page's conversations that `document` lacks, in order. */
  readonly rest: readonly string[];
}

const empty = Buffer.from('[]');
const nothing: ListedDocument = { document: empty, count: 0, next: null, rest: [] };

const last = `json_build_array(${exactMoment('c.created_at')}, c.id)`;

/** Returns SQL parts that read a page of a list. `user`, `limit` and `offset` are SQL expressions. */
const partOf = (tasks: Tasks, conditions: string, user: string, limit: string, offset: string) => ({
  rows: `
    (
      select *, row_number() over () as n from (
        select * from conversations
        where uid = ${user} and status = 'completed' and not discarded and deleted_at is null and not is_locked ${conditions}
        order by created_at desc, id desc limit ${limit}::integer + 1 offset ${offset}) as part)`,
  count: `least(count(*), ${limit}::integer)`,
  found: `(json_agg(${conversationJson[tasks].without}) filter (where n <= ${limit}::integer))::text`,
  next: `case when count(*) > ${limit}::integer then json_agg(${last}) filter (where n = ${limit}::integer)->0 end`,
});

/** Returns SQL that reads a page as one document. The document is null when the page has more than `piece.bytes` bytes. */
const aloneText = (tasks: Tasks, conditions: string): string => {
  const { rows, count, found, next } = partOf(tasks, conditions, '$1', '$2', '$3');
  return `
    with c as ${rows}
    select count, case when octet_length(found) <= ${piece.bytes} then found end, next
    from (select ${count} as count, ${found} as found, ${next} as next from c) as made`;
};

/**
 * Returns the query of `aloneText` in the form that `readingWork` needs: the result has a single column. The column
 * contains a line with the count and the last row's position, and then the JSON array. The column is empty when the
 * array has more than `piece.bytes` bytes.
 */
const togetherText = (tasks: Tasks, conditions: string): string => {
  const { rows, count, found, next } = partOf(tasks, conditions, allowedUser, '$8', '$9');
  return readingWork(`
    with c as ${rows}
    select case when octet_length(found) > ${piece.bytes} then '' else concat(head, E'\\n', coalesce(found, '[]')) end as done
    from (
      select json_build_array(${count}, ${next}) as head, ${found} as found from c having exists (select from allowed)) as made`);
};

/** Minimum number of bytes of a segment in JSON, beside its text. */
const leastSegment = 140;

/**
 * SQL condition: the transcript of a conversation `c` has more than `piece.bytes` bytes. It is checked before the
 * transcript's JSON is built, because building megabytes of JSON takes the database many ms. The condition may be false
 * for a transcript that is slightly larger than the limit.
 */
export const isOversized = `coalesce((
  select sum(octet_length(text) + ${leastSegment}) > ${piece.bytes} from (
    select text from segments where conversation_id = c.id and not deleted
    limit ${Math.ceil(piece.bytes / leastSegment)}) as first), false)`;

/**
 * Returns SQL that reads a page of any size. It builds the JSON of conversations one by one until it exceeds
 * `piece.bytes`. The result contains the conversations that fit into this size, and only the ids of the others. One
 * statement reads the page, so the page is consistent.
 */
const measuredText =
  (transcript: 'with' | 'without') =>
  (tasks: Tasks, conditions: string): string => {
    const complete = conversationJson[tasks][transcript];
    const document = transcript === 'with' ? `case when not ${isOversized} then ${complete} end` : complete;
    const { rows, next } = partOf(tasks, conditions, '$1', '$2', '$3');
    return `
    with recursive c as materialized ${rows}, made (n, document, bytes) as (
      select 0::bigint, null::json, 0::bigint
      union all
      select c.n, built.document, made.bytes + coalesce(octet_length(built.document::text), ${piece.bytes + 1})
      from made join c on c.n = made.n + 1 cross join lateral (select ${document} as document offset 0) as built
      where made.bytes <= ${piece.bytes} and c.n <= $2::integer)
    select (select least(count(*), $2::integer) from c),
      (select json_agg(document order by n) filter (where n > 0) from made where bytes <= ${piece.bytes}),
      (select ${next} from c),
      (select json_agg(id order by n) from c
        where n <= $2::integer and n > (select max(n) from made where bytes <= ${piece.bytes}))`;
  };
const measuredTexts = { with: measuredText('with'), without: measuredText('without') } as const;

type MakeText = (tasks: Tasks, conditions: string) => string;

/** Statement texts by name, tasks and conditions. There are at most a few hundred. */
const listTexts = new Map<string, string>();

const listText = (name: string, make: MakeText, tasks: Tasks, conditions: string): string => {
  const key = `${name} ${tasks}${conditions}`;
  const known = listTexts.get(key);
  if (known !== undefined) return known;
  const made = make(tasks, conditions);
  listTexts.set(key, made);
  return made;
};

/**
 * Returns the SQL conditions of a filter, and the values of their parameters.
 * @param before number of the statement's parameters that precede the parameters of these conditions
 */
const conditionsOf = (
  filter: ConversationFilter,
  before: number,
): { readonly conditions: string; readonly values: readonly TextValue[] } => {
  const { from, to, categories, folderId, starred, speaker, after } = filter;
  const values: TextValue[] = [];
  let conditions = '';
  /** Adds a condition. Each question mark becomes the parameter of the next value. */
  const where = (condition: string, ...given: TextValue[]): void => {
    conditions += ` and ${condition.replace(/\?/g, () => `$${before + values.push(given.shift()!)}`)}`;
  };
  if (from) where('created_at >= ?', from.toISOString());
  if (to) where("created_at < ?::timestamptz + interval '1 millisecond'", to.toISOString());
  // A single category is compared with `=`, because the index returns rows in list order only for this comparison.
  if (categories?.length === 1) where("structured->>'category' = ?", categories[0]!);
  else if (categories?.length) where("structured->>'category' = any(?::text[])", arrayLiteral(categories));
  if (folderId) where('folder_id = ?::uuid', folderId);
  if (typeof starred === 'boolean') where(starred ? 'starred' : 'not starred');
  const says = (who: string): string =>
    `exists (select from segments s where s.conversation_id = conversations.id and not s.deleted and ${who})`;
  if (speaker === 'me') where(says('s.is_user'));
  else if (speaker) where(says('s.person_id = ?'), speaker);
  // The time is a text parameter, because postgres.js would drop fractions of a millisecond from a
  // `timestamptz` parameter.
  if (after) where('(created_at, id) < (?::text::timestamptz, ?::uuid)', ...after);
  return { conditions, values };
};

/**
 * Reads a page of a user's completed conversations, newest first, without discarded or locked ones. A conversation must
 * match all filters. Filters apply before paging. The statement reads one additional row, to learn whether another page
 * follows.
 */
export const listConversationDocuments = async (
  sql: Sql,
  uid: string,
  filter: ConversationFilter,
): Promise<ListedDocument> => {
  const { folderId, transcript, tasks, limit, offset } = filter;
  if (folderId && !isUuid(folderId)) return nothing;
  const { conditions, values } = conditionsOf(filter, 3);
  const read = async (name: string, make: MakeText) => {
    const text = listText(name, make, tasksIf(tasks), conditions);
    // Each statement changes its array of values, so each statement gets a new array.
    const [row] = await preparedRaw(sql, text, [uid, limit, offset, ...values]);
    return row!;
  };
  const parsed = <Value>(text: Buffer | null | undefined): Value | null =>
    text ? (JSON.parse(text.toString()) as Value) : null;
  if (!transcript) {
    const [count, found, next] = await read('alone', aloneText);
    if (Number(count) === 0) return nothing;
    if (found) return { document: found, count: Number(count), next: parsed<Position>(next), rest: [] };
  }
  const [count, found, next, rest] = transcript
    ? await read('with transcripts', measuredTexts.with)
    : await read('measured', measuredTexts.without);
  return {
    document: found ?? empty,
    count: Number(count),
    next: parsed<Position>(next),
    rest: parsed<string[]>(rest) ?? [],
  };
};

/** Maximum offset of `conversationListing`. Skipping more rows would make the statement slow. */
const mostSkipped = 1000;

/**
 * Returns SQL that does the same as `listConversationDocuments`, as a part of the statement that checks the request's
 * API key. Supports only fast pages: without transcripts, without filters other than a period, and near the beginning
 * of the list. A slow statement could time out, and the request would then not be counted.
 * @returns null for any other page.
 */
export const conversationListing = (filter: ConversationFilter): KeyWork | null => {
  const { categories, folderId, starred, speaker, transcript, limit, offset } = filter;
  const narrowed = categories?.length || folderId || speaker || typeof starred === 'boolean';
  if (narrowed || transcript || offset > mostSkipped) return null;
  const { conditions, values } = conditionsOf(filter, 9);
  return {
    text: listText('together', togetherText, 'by key', conditions),
    values: [limit, offset, ...values],
  };
};

const lineEnd = 0x0a;

/** Parses the result of `conversationListing`; null for a page with more than `piece.bytes` bytes. */
export const listedConversations = (done: Buffer): ListedDocument | null => {
  if (done.length === 0) return null;
  const end = done.indexOf(lineEnd);
  const [count, next] = JSON.parse(done.toString('latin1', 0, end)) as [number, Position | null];
  return { document: done.subarray(end + 1), count, next, rest: [] };
};

/** A conversation as the API returns it, without its transcript. */
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

/**
 * Reads the conversations among `ids` that a list of the user would contain, in any order.
 * @param tasks false: their lists of tasks are empty
 */
export const conversationDocumentsById = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
  tasks: boolean,
): Promise<ConversationDocument[]> => [
  ...(await sql<ConversationDocument[]>`
    select c.id, ${sql.unsafe(conversationJson[tasksIf(tasks)].without)} as document from conversations c
    where id = any(${uuidsOf(ids)}::uuid[]) and uid = ${uid} and status = 'completed' and not discarded
      and deleted_at is null and not is_locked`),
];
