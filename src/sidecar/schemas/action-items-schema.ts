import { z } from 'zod';
import { actionItemBounds } from '../../wire/records/index.js';
import { changeOf } from './common-schemas.js';
import { boolean, dayEnd, dayStart, trimmed } from './fields.js';
import { sessionField } from './idempotency.js';
import { pageQuery } from './paging.js';

const description = trimmed(1, actionItemBounds.description);

const newItem = z.object({
  description,
  completed: boolean.default(false),
  due_at: dayStart.nullish(),
});

export const actionItemBody = newItem.extend(sessionField);

export const actionItemsBody = z.object({
  action_items: z.array(newItem).max(actionItemBounds.batch),
  ...sessionField,
});

export const actionItemPatch = changeOf(
  {
    description: description.optional(),
    completed: boolean.optional(),
    due_at: dayStart.nullable().optional().meta({ description: 'Null clears it.' }),
  },
  'description, completed, or due_at',
);

export const actionItemsQuery = z.object({
  ...pageQuery(100, actionItemBounds.page),
  conversation_id: trimmed(1, 200).optional(),
  completed: boolean.optional(),
  start_date: dayStart.optional().meta({ description: 'Created at this time or later.' }),
  end_date: dayEnd.optional().meta({ description: 'Created at this time, on this day, or before.' }),
});

const moment = z.iso.datetime();

export const actionItemAnswer = z
  .object({
    id: z.string(),
    description: z.string(),
    completed: z.boolean(),
    created_at: moment,
    updated_at: moment,
    due_at: moment.nullable(),
    completed_at: moment.nullable(),
    conversation_id: z.string().nullable(),
  })
  .meta({ id: 'DeveloperActionItem' });

export const actionItemsAnswer = z
  .object({ action_items: z.array(actionItemAnswer), created_count: z.int() })
  .meta({ id: 'CreatedActionItems' });

export const exampleActionItem = {
  id: '0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10',
  description: 'Send the garden plan to Ann',
  completed: false,
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  due_at: '2026-03-06T17:00:00Z',
  completed_at: null,
  conversation_id: null,
};
