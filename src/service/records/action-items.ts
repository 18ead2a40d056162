import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Period, Sql, TransactionSql } from '../../store/client/index.js';
import {
  type ActionItemChanges,
  type ActionItemRow,
  actionItemRows,
  insertActionItems,
  listActionItemRows,
  lockRetriedItem,
  setRetryKey,
} from '../../store/records/index.js';
import {
  actionItemBounds,
  actionItemRecord,
  type ChangeOf,
  type CreationOf,
  changesOf,
} from '../../wire/records/index.js';
import {
  createOnce,
  cursorsOf,
  earlierNames,
  invalid,
  type LockedRecord,
  type Paged,
  type PagedInParts,
  type PageRequest,
  requireSome,
  type SearchPage,
  type SearchQuery,
  searchPage,
  time,
  uuid,
} from '../rules/index.js';
import type { Search } from '../search/index.js';
import { refusalsOf, shownForm, valuesOf } from './record-values.js';

const mostActionItems = fixedLimits.actionItemsPerUser.value;

export type NewActionItem = CreationOf<typeof actionItemRecord>;
/** Absent fields are not changed; null clears the due date. */
export type ActionItemPatch = ChangeOf<typeof actionItemRecord>;

const values = valuesOf(actionItemRecord);
const { found, unlocked } = refusalsOf(actionItemRecord);
const position = z.tuple([z.enum(['true', 'false']), z.union([time, z.literal('infinity')]), time, uuid]);
const cursors = cursorsOf('action_items', position);

/** Converts an action item to its form in a conversation's summary. */
export const summarisedItem = shownForm(actionItemRecord, 'summary', {
  description: (row) => row.description,
});

/**
 * Functions that convert an action item to the form of each interface: the developer API, or the tools. The description
 * of a locked item is cut.
 */
const views = {
  developer: shownForm(actionItemRecord, 'developer'),
  tools: shownForm(actionItemRecord, 'tools'),
} as const;

export type ActionItem = ReturnType<(typeof views)['developer']>;
type ShownTo = keyof typeof views;

const newRow = (given: NewActionItem, now: Date): ActionItemRow =>
  Object.assign(values.created(given), {
    id: uuidv7(),
    completed_at: given.completed ? now : null,
    created_at: now,
    updated_at: now,
  });

/**
 * Creates action items of a user. Creates all of them or none.
 * @param key a repetition with the same key creates nothing more.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
 */
export const createActionItems = async (
  sql: Sql,
  uid: string,
  given: readonly NewActionItem[],
  key?: string | null,
): Promise<ActionItem[]> => {
  if (given.length > actionItemBounds.batch) {
    throw invalid(`Maximum ${actionItemBounds.batch} action items per batch request`, 'body.action_items');
  }
  const now = new Date();
  const rows = given.map((one) => newRow(one, now));
  if (rows.length === 0) return [];
  const insert = async (executor: Sql | TransactionSql): Promise<ActionItemRow[]> => {
    if (await insertActionItems(executor, uid, rows, mostActionItems)) return rows;
    throw new CochleaError('records_full', { kind: 'action items', limit: mostActionItems });
  };
  const created = await createOnce<ActionItemRow>(sql, {
    uid,
    operation: 'action_items',
    key,
    given: earlierNames(given.map((one) => ({ ...one, due_at: one.due_at ?? null }))),
    make: insert,
    makeAlone: insert,
    read: (ids) => actionItemRows.byIds(sql, uid, ids),
  });
  return created.map(views.developer);
};

/**
 * Ms from an item's creation in which a request with an equal description counts as a repetition, even if the item is
 * completed.
 */
const retryPeriod = 86_400_000;

/** Returns a hash of a description for comparison. Letter case and the amount of white space do not matter. */
const retryKeyOf = (description: string): string =>
  createHash('sha256')
    .update(description.normalize('NFC').toLowerCase().replace(/\s+/g, ' '))
    .digest('base64url');

/**
 * Creates an action item for a tool. A repeated request creates nothing and returns the existing item. A request is a
 * repetition if an item with the same description exists, and is open or less than a day old.
 * @throws CochleaError `validation_failed`, `records_full`
 */
export const createActionItemOnce = async (
  sql: Sql,
  uid: string,
  given: NewActionItem,
): Promise<ActionItem> => {
  const now = new Date();
  const row = newRow(given, now);
  const key = retryKeyOf(row.description);
  const made = (await sql.begin(async (transaction) => {
    const known = await lockRetriedItem(transaction, uid, key, new Date(now.getTime() - retryPeriod));
    if (known) return known;
    if (!(await insertActionItems(transaction, uid, [row], mostActionItems))) {
      throw new CochleaError('records_full', { kind: 'action items', limit: mostActionItems });
    }
    await setRetryKey(transaction, row.id, key);
    return row;
  })) as ActionItemRow;
  return views.tools(made);
};

/**
 * Returns one of a user's action items.
 * @param ofLocked whether a locked item is refused, or returned with its description cut.
 * @throws CochleaError `record_not_found`, `locked`
 */
export const getActionItem = async (
  sql: Sql,
  uid: string,
  id: string,
  ofLocked: LockedRecord = 'cut',
  surface: ShownTo = 'developer',
): Promise<ActionItem> => {
  const [row] = await actionItemRows.byIds(sql, uid, [id]);
  return views[surface]((ofLocked === 'refused' ? unlocked(row) : found(row)) as ActionItemRow);
};

export interface ActionItemQuery extends PageRequest, Period {
  readonly completed?: boolean | undefined;
  readonly conversationId?: string | undefined;
  /** Inclusive bounds on the due time. */
  readonly dueFrom?: Date | undefined;
  readonly dueTo?: Date | undefined;
  /** Whether locked items are included, with their description cut. */
  readonly locked?: boolean | undefined;
}

const filterOf = (query: ActionItemQuery) => {
  const { completed, conversationId, from, to, dueFrom, dueTo, locked } = query;
  return { ...cursors.page(query), completed, conversationId, from, to, dueFrom, dueTo, locked };
};

/** Number of action items that always fit into an answer. If a page has more, the bytes of its items are counted. */
const unmeasured = 300;

/**
 * Returns a page of a user's action items in product order, for a tool: open before completed, then by due date, then
 * newest first. Locked items are left out before paging, unless the query includes them.
 * @throws CochleaError `validation_failed` for an invalid cursor.
 */
export const listActionItems = async (
  sql: Sql,
  uid: string,
  query: ActionItemQuery,
): Promise<Paged<ActionItem>> =>
  cursors.paged(await listActionItemRows(sql, uid, filterOf(query)), views.tools);

/** Returns the page of `listActionItems` for the developer API. A long page is read in parts. */
export const listActionItemsInParts = async (
  sql: Sql,
  uid: string,
  query: ActionItemQuery,
): Promise<PagedInParts<ActionItem>> => {
  const filter = filterOf(query);
  const part = await listActionItemRows(sql, uid, { ...filter, measured: filter.limit > unmeasured });
  return cursors.pagedInParts(part, views.developer, (ids) => actionItemRows.byIds(sql, uid, ids));
};

/** Returns the action items that match a query. Leaves out locked action items unless requested. */
export const searchActionItems = async (
  search: Search,
  sql: Sql,
  uid: string,
  query: SearchQuery & { readonly locked?: boolean; readonly surface?: ShownTo },
): Promise<SearchPage<ActionItem>> => {
  const read = async (ids: readonly string[]) =>
    (await actionItemRows.byIds(sql, uid, ids)).filter(({ is_locked }) => query.locked || !is_locked);
  const { surface = 'developer', ...asked } = query;
  return searchPage(await search.find({ ...asked, uid, kind: 'action_item', read }), views[surface]);
};

/**
 * Returns the completion time of an item after a change. An item that was already completed keeps its completion time.
 */
const completedAt = (before: ActionItemRow, completed: boolean | undefined, now: Date): Date | null => {
  if (completed === undefined) return before.completed_at;
  return completed ? (before.completed_at ?? now) : null;
};

/** Changes an action item. @throws CochleaError `validation_failed`, `record_not_found`, `locked` */
export const updateActionItem = async (
  sql: Sql,
  uid: string,
  id: string,
  patch: ActionItemPatch,
  surface: ShownTo = 'developer',
): Promise<ActionItem> => {
  requireSome(patch, changesOf(actionItemRecord));
  const named = values.changed(patch);
  const row = (await sql.begin(async (transaction) => {
    const before = unlocked(await actionItemRows.lock(transaction, uid, id));
    const now = new Date();
    const changes: ActionItemChanges = {
      ...named,
      ...(named.description !== undefined && { retry_key: null }),
      completed_at: completedAt(before, named.completed, now),
      updated_at: now,
    };
    return actionItemRows.change(transaction, id, changes);
  })) as ActionItemRow;
  return views[surface](row);
};

/** Deletes an action item permanently. @throws CochleaError `record_not_found`, `locked` */
export const deleteActionItem = async (sql: Sql, uid: string, id: string): Promise<void> => {
  await sql.begin(async (transaction) => {
    unlocked(await actionItemRows.lock(transaction, uid, id));
    await actionItemRows.remove(transaction, id);
  });
};
