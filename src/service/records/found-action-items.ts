import { v7 as uuidv7 } from 'uuid';
import { firstCharacters, storableText } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { TransactionSql } from '../../store/client/index.js';
import { replaceStructuredItems } from '../../store/conversations/index.js';
import {
  type ActionItemRow,
  insertActionItems,
  markFoundActionItems,
  removeFoundActionItems,
} from '../../store/records/index.js';
import { actionItemBounds, actionItemRecord } from '../../wire/records/index.js';
import { summarisedItem } from './action-items.js';
import { valuesOf } from './record-values.js';

const { initial } = valuesOf(actionItemRecord);

/** A task that was found in a conversation. */
export interface FoundActionItem {
  readonly description: string;
  readonly due_at: Date | null;
}

const describedOf = (text: string): string =>
  firstCharacters(storableText(text).replace(/\s+/g, ' ').trim(), actionItemBounds.description);

const sameTask = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const rowOf = (conversation: Found, given: FoundActionItem, now: Date): ActionItemRow => ({
  ...initial,
  id: uuidv7(),
  description: describedOf(given.description),
  due_at: given.due_at,
  conversation_id: conversation.id,
  is_locked: conversation.is_locked,
  created_at: now,
  updated_at: now,
});

interface Found {
  readonly id: string;
  readonly uid: string;
  readonly is_locked: boolean;
}

/**
 * Stores the tasks found in a conversation, also in its summary. They replace the tasks of an earlier run. Tasks that the user completed or
 * changed stay, and are not added again. Stores nothing if the user would exceed the limit.
 */
export const replaceFoundActionItems = async (
  sql: TransactionSql,
  conversation: Found,
  found: readonly FoundActionItem[],
  now = new Date(),
): Promise<void> => {
  const kept = await removeFoundActionItems(sql, conversation.uid, conversation.id);
  const known = new Set(kept.flatMap((row) => [sameTask(row.description), sameTask(row.found_as)]));
  const rows: ActionItemRow[] = [];
  for (const row of found.map((given) => rowOf(conversation, given, now))) {
    const same = sameTask(row.description);
    if (same === '' || known.has(same)) continue;
    known.add(same);
    rows.push(row);
  }
  const most = fixedLimits.actionItemsPerUser.value;
  const stored = rows.length > 0 && (await insertActionItems(sql, conversation.uid, rows, most)) ? rows : [];
  if (stored.length > 0) {
    await markFoundActionItems(
      sql,
      stored.map((row) => row.id),
    );
  }
  await replaceStructuredItems(sql, conversation.id, [...kept, ...stored].map(summarisedItem));
};
