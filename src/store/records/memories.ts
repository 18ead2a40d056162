import { memoryRecord, type RowOf } from '../../wire/records/index.js';
import { type KeyWork, writingWork } from '../accounts/index.js';
import {
  arrayLiteral,
  type Listed,
  moment,
  type Page,
  type Position,
  preparedText,
  type Sql,
  type TransactionSql,
} from '../client/index.js';
import { columnsOf, recordRows } from './record-rows.js';
import type { UncountedCapacity } from './uncounted-capacity.js';

export type MemoryRow = RowOf<typeof memoryRecord>;

/** SQL condition: a memory is shown. A memory is hidden if a newer memory contradicts it, or if the user has rejected it. */
const shownCondition = 'invalid_at is null and user_review is not false';
export const memoryRows = recordRows(memoryRecord, { condition: shownCondition });
const { selected, written, given: givenRows } = columnsOf(memoryRecord);
const shown = (sql: Sql | TransactionSql) => sql.unsafe(shownCondition);

/**
 * Returns SQL that inserts memories only if a condition is true.
 * @param user relation of at most one row, with the user's `uid`.
 * @param condition SQL condition of the insertion.
 */
const insertText = (user: string, rows: string, condition: string): string => `
  insert into memories (uid, ${written}) select u.uid, ${written} from ${user} as u, ${givenRows(rows)}
  where ${condition}`;

const countText = (user: string): string =>
  `select count(*) from memories m join ${user} as u on m.uid = u.uid where ${shownCondition}`;

const given = '(select $1::text as uid)';
const insertAlone = insertText(given, '$2', `(${countText(given)}) <= $3::integer`);
const insertCounted = writingWork(
  `${insertText('allowed', '$8', '(select count from held) <= $9::integer')} returning (select count from held) as held`,
  {
    before: `held as materialized (${countText('allowed')})`,
    done: `count(*) || ' ' || coalesce(min(held), 0)`,
  },
);
const insertUncounted = writingWork(`${insertText('allowed', '$8', 'true')} returning 1`);

/**
 * Inserts memories of a user: either all of them, or none if the user would then have more memories than the limit
 * `most`. Hidden memories (`shownCondition`) and memories that concurrent transactions insert are not counted. Times in
 * the rows have at most millisecond precision, so they are stored unchanged.
 * @returns whether they were inserted.
 */
export const insertMemories = async (
  sql: Sql | TransactionSql,
  uid: string,
  memories: readonly MemoryRow[],
  most: number,
): Promise<boolean> => {
  const values = [uid, JSON.stringify(memories), most - memories.length];
  return (await preparedText(sql, insertAlone, values)).count === memories.length;
};

/** SQL that inserts a memory, as a part of the statement that checks a request's API key. */
export interface MemoryWriting {
  readonly work: KeyWork;
  /** Checks whether the memory was inserted. @param done the value that the statement's `done` returns */
  inserted(done: Buffer | null): boolean;
}

/**
 * Returns SQL that inserts one memory, like `insertMemories`, as a part of the statement that checks the request's API
 * key. Counts the user's memories only when `capacity` has no quota left.
 */
export const memoryWriting = (uid: string, memory: MemoryRow, capacity: UncountedCapacity): MemoryWriting => {
  const document = JSON.stringify([memory]);
  if (capacity.take(uid)) {
    return {
      work: { text: insertUncounted, values: [document] },
      inserted: (done) => done?.toString() === '1',
    };
  }
  return {
    work: { text: insertCounted, values: [document, capacity.most - 1] },
    inserted: (done) => {
      const [inserted, held] = (done?.toString() ?? '').split(' ');
      if (inserted !== '1') return false;
      capacity.counted(uid, Number(held) + 1);
      return true;
    },
  };
};

export interface MemoryFilter extends Page {
  /** At least one of these stored categories must match; null for all. */
  readonly categories: readonly string[] | null;
}

/**
 * Reads a page of a user's memories in product order: manually added memories first, then by category group, then
 * newest first.
 */
export const listMemoryRows = async (
  sql: Sql,
  uid: string,
  { categories, after, limit, offset, measured }: MemoryFilter,
): Promise<Listed<MemoryRow>> => {
  const [scoring, created, id] = after ?? [];
  const order = orders.scoring_desc;
  const part = (columns: string) => sql<MemoryRow[]>`
    select ${sql.unsafe(columns)} from memories
    where uid = ${uid} and ${shown(sql)}
      ${categories ? sql`and category = any(${categories as string[]})` : sql``}
      ${after ? sql`and (scoring, created_at, id) < (${scoring!}, ${moment(sql, created!)}, ${id!}::uuid)` : sql``}
    order by ${sql.unsafe(order)} limit ${limit + 1} offset ${offset}`;
  const position = (row: MemoryRow): Position => [row.scoring, row.created_at.toISOString(), row.id];
  return memoryRows.part(sql, part, { order, limit, position, measured });
};

/** SQL of the orders that `selectMemoryRows` supports. */
const orders = {
  created_desc: 'created_at desc, id desc',
  updated_desc: 'updated_at desc, id desc',
  manual_first: 'manually_added desc, updated_at desc, id desc',
  scoring_desc: 'scoring desc, created_at desc, id desc',
} as const;

export type MemorySort = keyof typeof orders;
export const memorySorts = Object.keys(orders) as [MemorySort, ...MemorySort[]];

export interface MemorySelection {
  /** At least one of these stored categories must match; null for all. */
  readonly categories: readonly string[] | null;
  readonly reviewed: boolean | null;
  readonly manuallyAdded: boolean | null;
  readonly updatedAfter: Date | null;
  /** Memories with one of these tags, in lower case, are left out. */
  readonly withoutTags: readonly string[];
  /** A case-insensitive regular expression. Memories with matching content are left out. Null leaves out none. */
  readonly withoutContent: string | null;
  readonly sort: MemorySort;
  readonly limit: number;
  readonly offset: number;
}

const selectionText = (sort: MemorySort): string => `
  select ${selected} from memories
  where uid = $1 and ${shownCondition}
    and ($2::text[] is null or category = any($2))
    and ($3::boolean is null or reviewed = $3)
    and ($4::boolean is null or manually_added = $4)
    and ($5::timestamptz is null or updated_at > $5)
    and ($6::text[] = '{}' or not exists (select from unnest(tags) as tag where lower(tag) = any($6)))
    and ($7::text is null or content !~* $7)
  order by ${orders[sort]} limit $8 offset $9`;

const selectionTexts = Object.fromEntries(memorySorts.map((sort) => [sort, selectionText(sort)])) as Record<
  MemorySort,
  string
>;

/** Reads a page of a user's memories in a chosen order. Returns `limit + 1` rows when more follow. */
export const selectMemoryRows = async (
  sql: Sql,
  uid: string,
  selection: MemorySelection,
): Promise<MemoryRow[]> => {
  const { categories, reviewed, manuallyAdded, updatedAfter, withoutTags, withoutContent } = selection;
  const values = [
    uid,
    categories && arrayLiteral(categories),
    reviewed,
    manuallyAdded,
    updatedAfter?.toISOString() ?? null,
    arrayLiteral(withoutTags),
    withoutContent,
    selection.limit + 1,
    selection.offset,
  ];
  const text = selectionTexts[selection.sort];
  return [...(await preparedText<MemoryRow[]>(sql, text, values))];
};

/** Reads the newest memories of a user that are shown and not locked. */
export const newestMemories = async (
  sql: Sql,
  uid: string,
  limit: number,
): Promise<{ readonly id: string; readonly content: string }[]> => {
  const rows = await sql<{ id: string; content: string }[]>`
    select id, content from memories where uid = ${uid} and ${shown(sql)} and not is_locked
    order by created_at desc, id desc limit ${limit}`;
  return [...rows];
};

/**
 * SQL condition: the program made the memory, and the user has neither edited nor approved it. Only such a memory may
 * be superseded.
 */
const untouched = 'not manually_added and not edited and user_review is not true';

/** A memory that was found in a conversation. */
export interface FoundMemoryRow {
  readonly id: string;
  readonly content: string;
  /** The text in which the memory was first found. */
  readonly found_as: string;
  /** Whether the memory is shown. */
  readonly is_shown: boolean;
  /**
   * Whether the memory stays unchanged when its conversation is processed again. It stays if its user has edited or
   * reviewed it, or if a newer memory has superseded it. It also stays if it has superseded an older memory, which
   * would otherwise be shown again.
   */
  readonly is_kept: boolean;
}

const foundColumns = `id, content, coalesce(found_as, content) as found_as,
  ${shownCondition} as is_shown,
  not (${untouched}) or user_review is not null or tags <> '{}' or visibility <> 'private' or invalid_at is not null
    or exists (select from memories older where older.superseded_by = memories.id) as is_kept`;

/** Reads the memories found in a conversation, including hidden memories, newest first. */
export const memoriesOfConversation = async (
  sql: Sql,
  uid: string,
  conversationId: string,
): Promise<FoundMemoryRow[]> => [
  ...(await sql<FoundMemoryRow[]>`
    select ${sql.unsafe(foundColumns)} from memories where uid = ${uid} and conversation_id = ${conversationId}
    order by created_at desc, id desc`),
];

/** Reads memories like `memoriesOfConversation`, and locks them until the transaction ends. */
export const lockMemoriesOfConversation = async (
  sql: TransactionSql,
  uid: string,
  conversationId: string,
): Promise<FoundMemoryRow[]> => [
  ...(await sql<FoundMemoryRow[]>`
    select ${sql.unsafe(foundColumns)} from memories where uid = ${uid} and conversation_id = ${conversationId}
    order by created_at desc, id desc for update`),
];

/** Removes memories that this transaction has locked. */
export const removeMemories = async (sql: TransactionSql, ids: readonly string[]): Promise<void> => {
  await sql`delete from memories where id = any(${ids as string[]}::uuid[])`;
};

/** Changes the text of a memory that was found again. The caller's transaction must have locked the memory. */
export const rewordMemory = async (
  sql: TransactionSql,
  id: string,
  content: string,
  now: Date,
): Promise<void> => {
  await sql`update memories set content = ${content}, found_as = ${content}, updated_at = ${now} where id = ${id}`;
};

/** Records the conversation of memories, and their current texts as the texts in which they were found. */
export const linkMemories = async (
  sql: TransactionSql,
  uid: string,
  conversationId: string,
  ids: readonly string[],
): Promise<void> => {
  await sql`
    update memories set conversation_id = ${conversationId}, found_as = content
    where uid = ${uid} and id = any(${ids as string[]}::uuid[])`;
};

/** Hides memories of a user that a newer memory contradicts. Memories that the user has added, edited or approved remain. */
export const supersedeMemories = async (
  sql: TransactionSql,
  uid: string,
  ids: readonly string[],
  by: string,
): Promise<void> => {
  await sql`
    update memories set invalid_at = now(), superseded_by = ${by}
    where uid = ${uid} and id = any(${ids as string[]}::uuid[]) and id <> ${by} and invalid_at is null
      and not is_locked and ${sql.unsafe(untouched)}`;
};
