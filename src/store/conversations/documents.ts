import { validate as isUuid } from 'uuid';
import { type KeyWork, readingWork } from '../accounts/index.js';
import {
  arrayLiteral,
  type Page,
  type Position,
  preparedRaw,
  type Sql,
  type TextValue,
  uuidsOf,
} from '../client/index.js';
import { conversationJson, piece, type Tasks, tasksIf } from '../pieces/index.js';
import type { Structured } from '../record/index.js';

/** A moment with all its six digits, for a position in a list. */
const exactMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// What is read stands first in these texts, because a slow statement is logged with its beginning.
const readText = (document: string, id = '$1', uid = '$2'): string => `
  with c as (select * from conversations where id = ${id} and uid = ${uid} and deleted_at is null and not is_locked)
  select ${document} as done from c`;

/** Nothing instead of a conversation with more bytes than a piece: its size is known for nothing once its text is made. */
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
 * `readConversationDocument` as work of the statement that admits a request, with tasks where its key may read them; null for what is
 * no id.
 */
export const conversationReading = (id: string, transcript: boolean): KeyWork | null =>
  isUuid(id) ? { text: transcript ? readingTexts.with : readingTexts.without, values: [id] } : null;

/**
 * One of a user's conversations as JSON text in UTF-8, in any status; null when it is unknown, deleted or locked. The database
 * makes the text, and nothing between it and the client parses it. It is empty where the conversation with its transcript has more
 * bytes than a piece.
 * @param tasks false empties the list of tasks.
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
  /** Whether conversations have their tasks; by the key of the request where work of its statement lists them. */
  readonly tasks: boolean;
}

/** A part of a list. */
export interface ListedDocument {
  /** Its first conversations as JSON text in UTF-8, an array: as many as have no more bytes than a piece. */
  readonly document: Buffer;
  /** Conversations of the part. */
  readonly count: number;
  /** Position of the last conversation of the part; null when none follows it. */
  readonly next: Position | null;
  /** Ids of those that `document` lacks, in their order. */
  readonly rest: readonly string[];
}

const empty = Buffer.from('[]');
const nothing: ListedDocument = { document: empty, count: 0, next: null, rest: [] };

const last = `json_build_array(${exactMoment('c.created_at')}, c.id)`;

/** What a statement that reads a part of a list begins with, and the values that it selects. `user`, `limit`, `offset`: as in SQL. */
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

/** Reads a part whose conversations have no more bytes than a piece; of another part no document. */
const aloneText = (tasks: Tasks, conditions: string): string => {
  const { rows, count, found, next } = partOf(tasks, conditions, '$1', '$2', '$3');
  return `
    with c as ${rows}
    select count, case when octet_length(found) <= ${piece.bytes} then found end, next
    from (select ${count} as count, ${found} as found, ${next} as next from c) as made`;
};

/**
 * `aloneText` as the one column that such work has: a line with the count and the position of the last row, then the array; nothing
 * where it has more bytes than a piece.
 */
const togetherText = (tasks: Tasks, conditions: string): string => {
  const { rows, count, found, next } = partOf(tasks, conditions, allowedUser, '$8', '$9');
  return readingWork(`
    with c as ${rows}
    select case when octet_length(found) > ${piece.bytes} then '' else concat(head, E'\\n', coalesce(found, '[]')) end as done
    from (
      select json_build_array(${count}, ${next}) as head, ${found} as found from c having exists (select from allowed)) as made`);
};

/**
 * Reads any part. Its conversations are made one after the other until they have more bytes than a piece: then those before the last one
 * are the document, and of the others the ids are read. So the part is that of one moment.
 */
const measuredText =
  (transcript: 'with' | 'without') =>
  (tasks: Tasks, conditions: string): string => {
    const document = conversationJson[tasks][transcript];
    const { rows, next } = partOf(tasks, conditions, '$1', '$2', '$3');
    return `
    with recursive c as materialized ${rows}, made (n, document, bytes) as (
      select 0::bigint, null::json, 0::bigint
      union all
      select c.n, built.document, made.bytes + octet_length(built.document::text)
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

/** Texts of the statements that read a part of a list, by their conditions. There are at most a few hundred. */
const listTexts = new Map<string, string>();

const listText = (name: string, make: MakeText, tasks: Tasks, conditions: string): string => {
  const key = `${name} ${tasks}${conditions}`;
  const known = listTexts.get(key);
  if (known !== undefined) return known;
  const made = make(tasks, conditions);
  listTexts.set(key, made);
  return made;
};

/** The conditions of a filter, and their values. @param before number of the statement's values before them. */
const conditionsOf = (
  filter: ConversationFilter,
  before: number,
): { readonly conditions: string; readonly values: readonly TextValue[] } => {
  const { from, to, categories, folderId, starred, after } = filter;
  const values: TextValue[] = [];
  let conditions = '';
  /** Adds a condition; a value takes the place of each mark. */
  const where = (condition: string, ...given: TextValue[]): void => {
    conditions += ` and ${condition.replace(/\?/g, () => `$${before + values.push(given.shift()!)}`)}`;
  };
  if (from) where('created_at >= ?', from.toISOString());
  if (to) where("created_at < ?::timestamptz + interval '1 millisecond'", to.toISOString());
  // One category is compared by itself, because only then does the index give the rows in the order of the list.
  if (categories?.length === 1) where("structured->>'category' = ?", categories[0]!);
  else if (categories?.length) where("structured->>'category' = any(?::text[])", arrayLiteral(categories));
  if (folderId) where('folder_id = ?::uuid', folderId);
  if (typeof starred === 'boolean') where(starred ? 'starred' : 'not starred');
  // The client library would cut the fraction of a parameter of type `timestamptz`.
  if (after) where('(created_at, id) < (?::text::timestamptz, ?::uuid)', ...after);
  return { conditions, values };
};

/**
 * A part of a user's completed conversations, newest first, without those that are discarded or locked. Filters combine, and
 * are applied before the part is made. One row more than the part has is read, which only shows that more follow.
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
    // The statement owns its values.
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

/** Rows that work may skip: behind more of them the statement is not short. */
const mostSkipped = 1000;

/**
 * `listConversationDocuments` as work of the statement that admits a request. Only a part that is read in the order of an index,
 * not far from where it begins, without transcripts: a request whose statement runs into its timeout would not be counted.
 * @returns null for any other part.
 */
export const conversationListing = (filter: ConversationFilter): KeyWork | null => {
  const { categories, folderId, starred, transcript, limit, offset } = filter;
  const narrowed = categories?.length || folderId || typeof starred === 'boolean';
  if (narrowed || transcript || offset > mostSkipped) return null;
  const { conditions, values } = conditionsOf(filter, 9);
  return {
    text: listText('together', togetherText, 'by key', conditions),
    values: [limit, offset, ...values],
  };
};

const lineEnd = 0x0a;

/** What the work of `conversationListing` came to; null for a part that has more bytes than a piece. */
export const listedConversations = (done: Buffer): ListedDocument | null => {
  if (done.length === 0) return null;
  const end = done.indexOf(lineEnd);
  const [count, next] = JSON.parse(done.toString('latin1', 0, end)) as [number, Position | null];
  return { document: done.subarray(end + 1), count, next, rest: [] };
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

/** Those of these conversations that a list of the user's would show, in any order. @param tasks false empties their lists of tasks. */
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
