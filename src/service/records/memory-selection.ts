import type { Sql } from '../../store/client/index.js';
import { type MemorySort, memoryRows, selectMemoryRows } from '../../store/records/index.js';
import { type Memory, memoryView, storedCategories } from './memories.js';
import type { MemorySurface } from './memory-category.js';

/** Tags of memories about what the user does at a screen. */
const activityTags = [
  'activity',
  'focus',
  'screen',
  'screen_activity',
  'rewind',
  'distraction',
  'distracted',
];
/** With what the content of such memories begins. */
const activityContent = '^(focused on|distracted on|viewing) ';
/** Tag of memories that the user does not want to be shown everywhere. */
const sensitiveTag = 'sensitive';

export interface MemorySelection {
  /** Categories in the words of the surface, of which one has to match; all when absent or empty. */
  readonly categories?: readonly string[] | undefined;
  readonly reviewed?: boolean | undefined;
  readonly manuallyAdded?: boolean | undefined;
  readonly updatedAfter?: Date | undefined;
  /** Whether memories about what the user does at a screen are among them. */
  readonly activity: boolean;
  /** Whether memories with the tag `sensitive` are among them. */
  readonly sensitive: boolean;
  readonly sort: MemorySort;
  readonly limit: number;
  readonly offset: number;
}

/**
 * A part of a user's memories in a chosen order, and whether more follow.
 * @throws CochleaError `bad_request` for an unknown category.
 */
export const selectMemories = async (
  sql: Sql,
  uid: string,
  surface: MemorySurface,
  query: MemorySelection,
): Promise<{ readonly items: Memory[]; readonly more: boolean }> => {
  const { limit, offset, sort, activity, sensitive } = query;
  const rows = await selectMemoryRows(sql, uid, {
    categories: storedCategories(surface, query.categories ?? []),
    reviewed: query.reviewed ?? null,
    manuallyAdded: query.manuallyAdded ?? null,
    updatedAfter: query.updatedAfter ?? null,
    withoutTags: [...(activity ? [] : activityTags), ...(sensitive ? [] : [sensitiveTag])],
    withoutContent: activity ? null : activityContent,
    sort,
    limit,
    offset,
  });
  return { items: rows.slice(0, limit).map((row) => memoryView(surface, row)), more: rows.length > limit };
};

/** Those of these memories that a user has, in the order of `ids`. */
export const readMemories = async (
  sql: Sql,
  uid: string,
  surface: MemorySurface,
  ids: readonly string[],
): Promise<Memory[]> => (await memoryRows.byIds(sql, uid, ids)).map((row) => memoryView(surface, row));
