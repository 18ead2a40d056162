import { z } from 'zod';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import {
  insertMemories,
  listMemoryRows,
  type MemoryRow,
  memoryRows,
  memoryWriting,
  UncountedCapacity,
} from '../../store/records/index.js';
import {
  type ChangeOf,
  type CreationOf,
  changesOf,
  memoryBounds,
  memoryRecord,
} from '../../wire/records/index.js';
import {
  type AdmittedWork,
  createOnce,
  cursorsOf,
  invalid,
  type LockedRecord,
  newId,
  type PagedInParts,
  type PageRequest,
  plainText,
  requireSome,
  type SearchPage,
  type SearchQuery,
  searchPage,
  time,
  uuid,
} from '../rules/index.js';
import type { Search } from '../search/index.js';
import {
  detectMemoryCategory,
  isMemoryCategory,
  type MemorySurface,
  memoryScoring,
  shownMemoryCategory,
  storedMemoryCategories,
} from './memory-category.js';
import { refusalsOf, shownForm, valuesOf } from './record-values.js';

export type NewMemory = CreationOf<typeof memoryRecord>;
/** Changes to a memory. Absent fields are not changed. Given tags replace all tags. */
export type MemoryPatch = ChangeOf<typeof memoryRecord>;

const mostMemories = fixedLimits.memoriesPerUser.value;
const cursors = cursorsOf('memories', z.tuple([plainText, time, uuid]));

const viewOf = (surface: MemorySurface) =>
  shownForm(memoryRecord, surface, { category: ({ category }) => shownMemoryCategory(surface, category) });

const views = { developer: viewOf('developer'), tools: viewOf('tools') } as const;

/** Converts a memory to the form that a surface shows (`MemorySurface`). The content of a locked memory is cut. */
export const memoryView = (surface: MemorySurface, row: MemoryRow) => views[surface](row);

export type Memory = ReturnType<typeof memoryView>;

const categoryOf = (surface: MemorySurface, given: string): string => {
  if (!isMemoryCategory(surface, given)) throw new CochleaError('bad_request', { why: 'Invalid category' });
  return given;
};

const valuesFor = (surface: MemorySurface) =>
  valuesOf(memoryRecord, { category: (given: string) => categoryOf(surface, given) });

const values = { developer: valuesFor('developer'), tools: valuesFor('tools') } as const;
const { found, unlocked } = refusalsOf(memoryRecord);

const newRow = (surface: MemorySurface, given: NewMemory, now: Date): MemoryRow => {
  const created = values[surface].created(given);
  const category = created.category ?? detectMemoryCategory(created.content);
  return Object.assign(created, {
    id: newId(),
    category,
    manually_added: true,
    reviewed: true,
    user_review: true,
    scoring: memoryScoring(true, category, now),
    created_at: now,
    updated_at: now,
  });
};

const full = (): CochleaError => new CochleaError('records_full', { kind: 'memories', limit: mostMemories });

/** Creates a counter of the memories that each user may still add. A process needs one counter. */
export const memoryCapacity = (): UncountedCapacity => new UncountedCapacity(mostMemories);

/**
 * Does the work of `createMemories` for one memory without an idempotency key, inside the SQL statement that checks a
 * request's key.
 * @param uid the user whose key is checked.
 * @throws CochleaError `validation_failed`, `bad_request` for an unknown category
 */
export const memoryCreation = (
  uid: string,
  surface: MemorySurface,
  given: NewMemory,
  capacity: UncountedCapacity,
): AdmittedWork<Memory> => {
  const row = newRow(surface, given, new Date());
  const { work, inserted } = memoryWriting(uid, row, capacity);
  const result = (done: Buffer | null): Memory => {
    if (!inserted(done)) throw full();
    return memoryView(surface, row);
  };
  return { work, result };
};

/**
 * Creates memories of a user. Creates all of them or none.
 * @param key a repetition with the same key creates nothing more.
 * @throws CochleaError `validation_failed`, `bad_request` for an unknown category, `records_full`, `idempotency_conflict`,
 * `idempotency_gone`
 */
export const createMemories = async (
  sql: Sql,
  uid: string,
  surface: MemorySurface,
  given: readonly NewMemory[],
  key?: string | null,
): Promise<Memory[]> => {
  if (given.length > memoryBounds.batch) throw invalid(`At most ${memoryBounds.batch} memories in a request`);
  const now = new Date();
  const rows = given.map((one) => newRow(surface, one, now));
  if (rows.length === 0) return [];
  const insert = async (executor: Sql | TransactionSql): Promise<MemoryRow[]> => {
    if (await insertMemories(executor, uid, rows, mostMemories)) return rows;
    throw full();
  };
  const created = await createOnce<MemoryRow>(sql, {
    uid,
    operation: 'memories',
    key,
    given,
    make: insert,
    makeAlone: insert,
    read: (ids) => memoryRows.byIds(sql, uid, ids),
  });
  return created.map((row) => memoryView(surface, row));
};

export interface MemoryQuery extends PageRequest {
  /**
   * Categories as the surface names them. Only memories with one of them are listed. Absent or empty: all memories.
   */
  readonly categories?: readonly string[];
}

/**
 * Returns the stored categories that match the requested categories; null if no category was requested, so that all
 * match.
 * @throws CochleaError `bad_request` for an unknown category.
 */
export const storedCategories = (surface: MemorySurface, asked: readonly string[]): string[] | null => {
  for (const category of asked) {
    if (!isMemoryCategory(surface, category)) {
      throw new CochleaError('bad_request', { why: `Invalid category ${category.slice(0, 100)}` });
    }
  }
  return asked.length > 0 ? storedMemoryCategories(surface, asked) : null;
};

/** Number of memories that always fit into an answer. If a page has more, the bytes of its memories are counted. */
const unmeasured = 30;

/**
 * Returns a page of a user's memories in product order: manually added memories first, then by category group, then
 * newest first. A long page is read in parts.
 * @throws CochleaError `bad_request` for an unknown category, `validation_failed` for an invalid cursor.
 */
export const listMemories = async (
  sql: Sql,
  uid: string,
  surface: MemorySurface,
  query: MemoryQuery,
): Promise<PagedInParts<Memory>> => {
  const categories = storedCategories(surface, query.categories ?? []);
  const page = cursors.page(query);
  const measured = page.limit > unmeasured;
  const part = await listMemoryRows(sql, uid, { ...page, categories, measured });
  const read = (ids: readonly string[]) => memoryRows.byIds(sql, uid, ids);
  return cursors.pagedInParts(part, (row) => memoryView(surface, row), read);
};

/** Returns the memories that match a query. The content of a locked memory is cut. */
export const searchMemories = async (
  search: Search,
  sql: Sql,
  uid: string,
  surface: MemorySurface,
  query: SearchQuery,
): Promise<SearchPage<Memory>> => {
  const request = { ...query, uid, kind: 'memory' as const };
  const read = (ids: readonly string[]) => memoryRows.byIds(sql, uid, ids);
  return searchPage(await search.find({ ...request, read }), (row) => memoryView(surface, row));
};

/**
 * Returns one of a user's memories.
 * @param locked whether a locked memory is refused, or returned with its content cut.
 * @throws CochleaError `record_not_found`, `locked`
 */
export const getMemory = async (
  sql: Sql,
  uid: string,
  surface: MemorySurface,
  id: string,
  locked: LockedRecord = 'cut',
): Promise<Memory> => {
  const [row] = await memoryRows.byIds(sql, uid, [id]);
  return memoryView(surface, (locked === 'refused' ? unlocked(row) : found(row)) as MemoryRow);
};

/**
 * Changes a memory. Validates everything before writing anything.
 * @throws CochleaError `validation_failed`, `record_not_found`, `locked`
 */
export const updateMemory = async (
  sql: Sql,
  uid: string,
  surface: MemorySurface,
  id: string,
  patch: MemoryPatch,
): Promise<Memory> => {
  requireSome(patch, changesOf(memoryRecord));
  const changes = values[surface].changed(patch);
  const row = (await sql.begin(async (transaction) => {
    const before = unlocked(await memoryRows.lock(transaction, uid, id));
    const named = changes.category ?? before.category;
    return memoryRows.change(transaction, before.id, {
      ...changes,
      edited: before.edited || (changes.content !== undefined && changes.content !== before.content),
      scoring: memoryScoring(before.manually_added, named, before.created_at),
      updated_at: new Date(),
    });
  })) as MemoryRow;
  return memoryView(surface, row);
};

/** Deletes a memory permanently. @throws CochleaError `record_not_found`, `locked` */
export const deleteMemory = async (sql: Sql, uid: string, id: string): Promise<void> => {
  await sql.begin(async (transaction) => {
    unlocked(await memoryRows.lock(transaction, uid, id));
    await memoryRows.remove(transaction, id);
  });
};
