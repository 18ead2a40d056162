import type { Sql } from '../../store/client/index.js';
import { type MemorySort, selectMemoryRows } from '../../store/records/index.js';
import { type Memory, memoryView, storedCategories } from './memories.js';
import type { MemorySurface } from './memory-category.js';

/** Tags of memories about the user's screen activity. */
const activityTags = [
  'activity',
  'focus',
  'screen',
  'screen_activity',
  'rewind',
  'distraction',
  'distracted',
];
/** Pattern of the beginning of screen activity memories. */
const activityContent = '^(focused on|distracted on|viewing) ';
/** Tag of memories that the user wants to hide in some views. */
const sensitiveTag = 'sensitive';

export interface MemorySelection {
  /**
   * Categories as the surface names them. Only memories with one of them are listed. Absent or empty: all memories.
   */
  readonly categories?: readonly string[] | undefined;
  readonly reviewed?: boolean | undefined;
  readonly manuallyAdded?: boolean | undefined;
  readonly updatedAfter?: Date | undefined;
  /** Whether memories about screen activity are included. */
  readonly activity: boolean;
  /** Whether memories with the tag `sensitive` are included. */
  readonly sensitive: boolean;
  readonly sort: MemorySort;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Returns a page of a user's memories in a chosen order, and whether more follow.
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
