import { v7 as uuidv7 } from 'uuid';
import { fixedLimits } from '../config/limits.js';
import { type ActionItemRow, insertActionItems, removeFoundActionItems } from '../store/action-items.js';
import { type ActionItem, isoUtc } from '../store/conversation-record.js';
import { replaceStructuredItems } from '../store/conversations.js';
import type { TransactionSql } from '../store/database.js';
import { firstCharacters, storableText } from '../wire/text.js';
import { actionItemBounds } from './action-items.js';

/** A task that was found in a conversation. */
export interface FoundActionItem {
  readonly description: string;
  readonly dueAt: Date | null;
}

const describedOf = (text: string): string =>
  firstCharacters(storableText(text).replace(/\s+/g, ' ').trim(), actionItemBounds.description);

const sameTask = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const rowOf = (conversation: Found, given: FoundActionItem, now: Date): ActionItemRow => ({
  id: uuidv7(),
  description: describedOf(given.description),
  completed: false,
  due_at: given.dueAt,
  completed_at: null,
  conversation_id: conversation.id,
  is_locked: conversation.is_locked,
  created_at: now,
  updated_at: now,
});

const shown = (row: ActionItemRow): ActionItem => ({
  description: row.description,
  completed: row.completed,
  created_at: isoUtc(row.created_at),
  updated_at: isoUtc(row.updated_at),
  due_at: row.due_at && isoUtc(row.due_at),
  completed_at: row.completed_at && isoUtc(row.completed_at),
  conversation_id: row.conversation_id,
});

interface Found {
  readonly id: string;
  readonly uid: string;
  readonly is_locked: boolean;
}

/**
 * Stores what was found in a conversation in place of what an earlier run has found, also in its summary. What its user has completed
 * stays and is not found again. Nothing is stored where the user would have too many.
 */
export const replaceFoundActionItems = async (
  sql: TransactionSql,
  conversation: Found,
  found: readonly FoundActionItem[],
  now = new Date(),
): Promise<void> => {
  const completed = await removeFoundActionItems(sql, conversation.uid, conversation.id);
  const known = new Set(completed.map(({ description }) => sameTask(description)));
  const rows: ActionItemRow[] = [];
  for (const row of found.map((given) => rowOf(conversation, given, now))) {
    const same = sameTask(row.description);
    if (same === '' || known.has(same)) continue;
    known.add(same);
    rows.push(row);
  }
  const most = fixedLimits.actionItemsPerUser.value;
  const stored = rows.length > 0 && (await insertActionItems(sql, conversation.uid, rows, most)) ? rows : [];
  await replaceStructuredItems(sql, conversation.id, [...completed, ...stored].map(shown));
};
