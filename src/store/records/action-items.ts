import { validate as isUuid } from 'uuid';
import { actionItemRecord, type NewRowOf, type RowOf } from '../../wire/records/index.js';
import {
  firstRow,
  type Listed,
  lockForUser,
  moment,
  type Page,
  type Period,
  type Position,
  preparedText,
  type Sql,
  type TransactionSql,
} from '../client/index.js';
import { columnsOf, recordRows } from './record-rows.js';

export type ActionItemRow = RowOf<typeof actionItemRecord>;

export const actionItemRows = recordRows(actionItemRecord);
const { selected, written, given } = columnsOf(actionItemRecord);
const dueOrLast = `coalesce(due_at, 'infinity')`;

const insertText = `
  insert into action_items (uid, ${written}) select $1, ${written} from ${given('$2')}
  where (select count(*) from action_items where uid = $1 and not is_locked) <= $3::integer`;

/**
 * Inserts action items of a user: either all of them, or none if the user would then have more unlocked items than the
 * limit `most`. Items that concurrent transactions insert are not counted. Times in the rows have at most millisecond
 * precision, so they are stored unchanged.
 * @returns whether they were inserted.
 */
export const insertActionItems = async (
  sql: Sql | TransactionSql,
  uid: string,
  items: readonly ActionItemRow[],
  most: number,
): Promise<boolean> => {
  const values = [uid, JSON.stringify(items), most - items.length];
  return (await preparedText(sql, insertText, values)).count === items.length;
};

export interface ActionItemFilter extends Page, Period {
  readonly completed?: boolean | null | undefined;
  readonly conversationId?: string | null | undefined;
  /** Inclusive bounds on `due_at`. */
  readonly dueFrom?: Date | null | undefined;
  readonly dueTo?: Date | null | undefined;
  /** Whether locked items are included. */
  readonly locked?: boolean | undefined;
}

/**
 * Reads a page of a user's action items in product order: open before completed, then by due date, then newest first.
 * Items without a due date come last among the open and among the completed items.
 */
export const listActionItemRows = async (
  sql: Sql,
  uid: string,
  filter: ActionItemFilter,
): Promise<Listed<ActionItemRow>> => {
  const { completed, conversationId, from, to, dueFrom, dueTo, after, limit, offset } = filter;
  if (conversationId && !isUuid(conversationId)) return { rows: [], next: null };
  const [done, due, created, id] = after ?? [];
  const due_at = sql.unsafe(dueOrLast);
  // The first comparison can use the index. The second comparison is exact.
  const behind = () => sql`
    and (completed, ${due_at}) >= (${done === 'true'}, ${moment(sql, due!)})
    and ((completed, ${due_at}) > (${done === 'true'}, ${moment(sql, due!)})
      or (created_at, id) < (${moment(sql, created!)}, ${id!}::uuid))`;
  const order = `completed, ${dueOrLast}, created_at desc, id desc`;
  const part = (selected: string) => sql<ActionItemRow[]>`
    select ${sql.unsafe(selected)} from action_items
    where uid = ${uid} ${filter.locked ? sql`` : sql`and not is_locked`}
      ${typeof completed === 'boolean' ? sql`and completed = ${completed}` : sql``}
      ${conversationId ? sql`and conversation_id = ${conversationId}` : sql``}
      ${from ? sql`and created_at >= ${from}` : sql``}
      ${to ? sql`and created_at <= ${to}` : sql``}
      ${dueFrom ? sql`and due_at >= ${dueFrom}` : sql``}
      ${dueTo ? sql`and due_at <= ${dueTo}` : sql``}
      ${after ? behind() : sql``}
    order by ${sql.unsafe(order)} limit ${limit + 1} offset ${offset}`;
  const position = (row: ActionItemRow): Position => [
    String(row.completed),
    row.due_at?.toISOString() ?? 'infinity',
    row.created_at.toISOString(),
    row.id,
  ];
  return actionItemRows.part(sql, part, { order, limit, position, measured: filter.measured });
};

/**
 * Finds the action item that an earlier request with the same retry key has made. Finds only items that are open or
 * were made at or after `since`. Until this transaction ends, other requests with a retry key wait before they make an
 * item for this user.
 */
export const lockRetriedItem = async (
  sql: TransactionSql,
  uid: string,
  retryKey: string,
  since: Date,
): Promise<ActionItemRow | null> => {
  await lockForUser(sql, 'action_items', uid);
  return firstRow(sql<ActionItemRow[]>`
    select ${sql.unsafe(selected)} from action_items
    where uid = ${uid} and retry_key = ${retryKey} and (not completed or created_at >= ${since})
    order by completed, created_at desc limit 1`);
};

/** Sets the retry key of an item that this transaction has made. */
export const setRetryKey = async (sql: TransactionSql, id: string, retryKey: string): Promise<void> => {
  await sql`update action_items set retry_key = ${retryKey} where id = ${id}`;
};

/** Changes of an action item. `retry_key: null` clears its retry key. */
export type ActionItemChanges = Partial<NewRowOf<typeof actionItemRecord>> & { readonly retry_key?: null };

/**
 * An action item that was found in a conversation, and then completed or changed by its user. `found_as` is the
 * original description.
 */
export interface KeptActionItem extends ActionItemRow {
  readonly found_as: string;
}

/**
 * Removes the open action items that were found in a conversation, unless their user has changed them.
 * @returns the items that remain: completed or changed by the user.
 */
export const removeFoundActionItems = async (
  sql: TransactionSql,
  uid: string,
  conversationId: string,
): Promise<KeptActionItem[]> => {
  await sql`
    delete from action_items where uid = ${uid} and conversation_id = ${conversationId} and not completed and updated_at = created_at`;
  const rows = await sql<KeptActionItem[]>`
    select ${sql.unsafe(selected)}, coalesce(found_as, description) as found_as from action_items
    where uid = ${uid} and conversation_id = ${conversationId} order by created_at, id`;
  return [...rows];
};

/** Copies the current descriptions of action items to `found_as`, as their original descriptions. */
export const markFoundActionItems = async (sql: TransactionSql, ids: readonly string[]): Promise<void> => {
  await sql`update action_items set found_as = description where id = any(${ids as string[]}::uuid[])`;
};
