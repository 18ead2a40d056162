import { z } from 'zod';
import { actionItemBounds, actionItemRecord } from '../../wire/records/index.js';
import { boolean, dayEnd, dayStart, trimmed } from './fields.js';
import { sessionField } from './idempotency.js';
import { pageQuery } from './paging.js';
import { changeBody, creationShape, exampleOf, shownShape } from './record-schemas.js';

const newItem = z.object(creationShape(actionItemRecord));

export const actionItemBody = newItem.extend(sessionField);

export const actionItemsBody = z.object({
  action_items: z.array(newItem).max(actionItemBounds.batch),
  ...sessionField,
});

export const actionItemPatch = changeBody(actionItemRecord);

export const actionItemsQuery = z.object({
  ...pageQuery(100, actionItemBounds.page),
  conversation_id: trimmed(1, 200).optional(),
  completed: boolean.optional(),
  start_date: dayStart.optional().meta({ description: 'Created at this time or later.' }),
  end_date: dayEnd
    .optional()
    .meta({ description: 'Created at or before this time, or on or before this day.' }),
});

export const actionItemAnswer = z
  .object(shownShape(actionItemRecord, 'developer'))
  .meta({ id: 'DeveloperActionItem' });

export const actionItemsAnswer = z
  .object({ action_items: z.array(actionItemAnswer), created_count: z.int() })
  .meta({ id: 'CreatedActionItems' });

export const exampleActionItem = exampleOf(actionItemRecord, {
  id: '0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10',
  description: 'Send the garden plan to Ann',
  completed: false,
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  due_at: '2026-03-06T17:00:00Z',
});
