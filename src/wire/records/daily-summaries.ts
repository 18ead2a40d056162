import type { RecordDeclaration } from './declaration.js';

/** The summary of a day. Its id is the day, YYYY-MM-DD, and `created_at` is the start of that day in UTC. */
export const dailySummaryRecord = {
  table: 'daily_summaries',
  one: 'daily summary',
  many: 'daily summaries',
  fields: {
    id: { type: 'text' },
    headline: { type: 'text', most: 200, create: 'required' },
    overview: { type: 'text', most: 10_000, create: 'required' },
    generated_by: {
      type: 'text',
      nullable: true,
      description: { answer: 'Generator of the summary; null if an application of the user wrote it.' },
    },
    created_at: { type: 'timestamptz' },
  },
} as const satisfies RecordDeclaration;
