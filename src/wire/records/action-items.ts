import { hidden, type RecordDeclaration, summarised } from './declaration.js';

/**
 * Maximum values for action items: code points in a description, items in a request (`batch`), items in an answer
 * (`page`).
 */
export const actionItemBounds = { description: 500, batch: 50, page: 1000 } as const;

/** A task of a user. */
export const actionItemRecord = {
  table: 'action_items',
  one: 'action item',
  many: 'action items',
  first: { tool: ['description', 'due_at'], option: ['completed'] },
  listed: ['id', 'completed', 'description', 'due_at'],
  fields: {
    id: { type: 'uuid' },
    description: {
      type: 'text',
      most: actionItemBounds.description,
      create: 'required',
      change: 'optional',
      shown: summarised,
      cut: true,
      tool: 'The task',
      cli: {
        argument: true,
        value: 'text',
        help: 'the task; "-" reads standard input',
        stdin: true,
        width: 60,
      },
    },
    completed: {
      type: 'boolean',
      create: 'usual',
      usual: false,
      change: 'optional',
      shown: summarised,
      tool: { create: 'Whether it is already done' },
      cli: {
        help: { create: 'it is already done', change: 'it is done' },
        off: { option: 'open', help: 'it is not done' },
        head: 'done',
      },
    },
    created_at: { type: 'timestamptz', shown: summarised },
    updated_at: { type: 'timestamptz', shown: summarised },
    due_at: {
      type: 'timestamptz',
      nullable: true,
      localDay: true,
      create: 'nullable',
      change: 'nullable',
      shown: summarised,
      description: { change: 'Null clears it.' },
      tool: "Due date: YYYY-MM-DD in the user's time zone, or an ISO 8601 date-time; a time without a zone is UTC.",
      cli: { value: 'date', help: 'due time', clear: { help: 'no due time' }, head: 'due' },
    },
    completed_at: { type: 'timestamptz', nullable: true, shown: summarised },
    conversation_id: { type: 'uuid', nullable: true, shown: summarised },
    is_locked: { type: 'boolean', usual: false, shown: hidden },
  },
} as const satisfies RecordDeclaration;
