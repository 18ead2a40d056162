import { validate as isUuid } from 'uuid';
import { arrayLiteral } from './array-types.js';
import { preparedRaw } from './constant-text.js';
import type { Structured } from './conversation-record.js';
import { emptyStructured } from './conversation-record.js';
import type { Sql } from './database.js';
import type { TextValue } from './direct-statement.js';
import { type KeyWork, keyHasScope, readingWork } from './key-statements.js';
import type { Page, Position } from './page.js';
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
    'start', s.start_seconds, 'end', s.end_seconds, 'translations', s.translations) order by s.position, s.id), '[]')
  from segments s
    ${speakerNames.joins}
  where s.conversation_id = c.id and not s.deleted)`;

/** The summary of a conversation `c`. */
const summary = `case when c.structured ?& array[${summaryKeys}] then c.structured
    else '${JSON.stringify(emptyStructured)}'::jsonb || coalesce(c.structured, '{}') end`;

/** Whether a document has the tasks of its conversation: yes, no, or where the key of the request may read tasks. */
type Tasks = 'shown' | 'hidden' | 'by key';

const withoutTasks = `(${summary}) || '{"action_items": []}'`;

const summaryWith: Readonly<Record<Tasks, string>> = {
  shown: summary,
  hidden: withoutTasks,
  'by key': `case when ${keyHasScope('action_items:read')} then ${summary} else ${withoutTasks} end`,
};

/** A conversation `c` as the API shows it: without internal values. */
const shown = (withTranscript: boolean, tasks: Tasks): string => `json_build_object(
  'id', c.id, 'created_at', ${shownMoment('c.created_at')}, 'started_at', ${shownMoment('c.started_at')},
  'finished_at', ${shownMoment('c.finished_at')},
  'structured', ${summaryWith[tasks]},
  'language', c.language, 'source', c.source, 'status', c.status, 'discarded', c.discarded, 'starred', c.starred,
  'transcript_segments', ${withTranscript ? transcript : 'null'}, 'geolocation', c.geolocation, 'folder_id', c.folder_id,
  'folder_name', (select nullif(name, '') from folders where id = c.folder_id and uid = c.uid))`;

/** Documents by whether they have the transcript, and the tasks. */
const documents = new Map<string, string>();

const documentText = (transcript: boolean, tasks: Tasks): string => {
  const name = `${transcript} ${tasks}`;
  const known = documents.get(name);
  if (known !== undefined) return known;
  const made = shown(transcript, tasks);
  documents.set(name, made);
  return made;
};

const tasksIf = (tasks: boolean): Tasks => (tasks ? 'shown' : 'hidden');

// What is read stands first in these texts, because a slow statement is logged with its beginning.
const readText = (document: string, id = '$1', uid = '$2'): string => `
  with c as (select * from conversations where id = ${id} and uid = ${uid} and deleted_at is null and not is_locked)
  select ${document} as done from c`;

const readTexts = (tasks: boolean) => ({
  with: readText(documentText(true, tasksIf(tasks))),
  without: readText(documentText(false, tasksIf(tasks))),
});
const textsWithTasks = readTexts(true);
const textsWithoutTasks = readTexts(false);

const readingText = (transcript: boolean): string =>
  readingWork(readText(documentText(transcript, 'by key'), '$8', '(select uid from allowed)'));
const readingTexts = { with: readingText(true), without: readingText(false) } as const;

/**
 * `readConversationDocument` as work of the statement that admits a request, with tasks where its key may read them; null for what is
 * no id.
 */
export const conversationReading = (id: string, transcript: boolean): KeyWork | null =>
  isUuid(id) ? { text: transcript ? readingTexts.with : readingTexts.without, values: [id] } : null;

/**
 * One of a user's conversations as JSON text in UTF-8, in any status; null when it is unknown, deleted or locked. The database
 * makes the text, and nothing between it and the client parses it.
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
  const texts = tasks ? textsWithTasks : textsWithoutTasks;
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

/** A part of a list as JSON text in UTF-8, an array. */
export interface ListedDocument {
  readonly document: Buffer;
  /** Elements of the array. */
  readonly count: number;
  /** Position of the last row; null when no row follows it. */
  readonly next: Position | null;
}

const nothing: ListedDocument = { document: Buffer.from('[]'), count: 0, next: null };

const last = `json_build_array(${exactMoment('c.created_at')}, c.id)`;

/** What a statement that reads a part of a list begins with, and the values that it selects. `user`, `limit`, `offset`: as in SQL. */
const partOf = (document: string, conditions: string, user: string, limit: string, offset: string) => ({
  rows: `
    with c as (
      select *, row_number() over () as n from (
        select * from conversations
        where uid = ${user} and status = 'completed' and not discarded and deleted_at is null and not is_locked ${conditions}
        order by created_at desc, id desc limit ${limit}::integer + 1 offset ${offset}) as part)`,
  count: `least(count(*), ${limit}::integer)`,
  found: `json_agg(${document}) filter (where n <= ${limit}::integer)`,
  next: `case when count(*) > ${limit}::integer then json_agg(${last}) filter (where n = ${limit}::integer)->0 end`,
});

const aloneText = (document: string, conditions: string): string => {
  const { rows, count, found, next } = partOf(document, conditions, '$1', '$2', '$3');
  return `${rows} select ${count}, ${found}, ${next} from c`;
};

/** As the one column that such work has: a line with the count and the position of the last row, then the array. */
const togetherText = (document: string, conditions: string): string => {
  const user = '(select uid from allowed)';
  const { rows, count, found, next } = partOf(document, conditions, user, '$8', '$9');
  return readingWork(`${rows}
    select concat(json_build_array(${count}, ${next}), E'\\n', coalesce(${found}, '[]')) as done
    from c having exists (select from allowed)`);
};

/** Texts of the statements that read a part of a list, by their conditions. There are at most a few hundred. */
const listTexts = new Map<string, string>();

const listText = (
  make: typeof aloneText | typeof togetherText,
  transcript: boolean,
  tasks: Tasks,
  conditions: string,
): string => {
  const name = `${transcript} ${tasks}${conditions}`;
  const known = listTexts.get(name);
  if (known !== undefined) return known;
  const made = make(documentText(transcript, tasks), conditions);
  listTexts.set(name, made);
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
  const text = listText(aloneText, transcript, tasksIf(tasks), conditions);
  const [row] = await preparedRaw(sql, text, [uid, limit, offset, ...values]);
  const [count, found, next] = row!;
  if (!found) return nothing;
  return {
    document: found,
    count: Number(count),
    next: next ? (JSON.parse(next.toString()) as Position) : null,
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
    text: listText(togetherText, false, 'by key', conditions),
    values: [limit, offset, ...values],
  };
};

const lineEnd = 0x0a;

/** What the work of `conversationListing` came to. */
export const listedConversations = (done: Buffer): ListedDocument => {
  const end = done.indexOf(lineEnd);
  const [count, next] = JSON.parse(done.toString('latin1', 0, end)) as [number, Position | null];
  return { document: done.subarray(end + 1), count, next };
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
    select c.id, ${sql.unsafe(documentText(false, tasksIf(tasks)))} as document from conversations c
    where id = any(${uuidsOf(ids)}::uuid[]) and uid = ${uid} and status = 'completed' and not discarded
      and deleted_at is null and not is_locked`),
];
