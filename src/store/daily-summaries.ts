import { type TimedRow, timedRows } from './timed-rows.js';

/** The summary of a day; its id is the day, YYYY-MM-DD, and `created_at` the beginning of that day in UTC. */
export interface DailySummaryRow extends TimedRow {
  readonly headline: string;
  readonly overview: string;
}

export const dailySummaryRows = timedRows<DailySummaryRow>('daily_summaries', [
  'id',
  'headline',
  'overview',
  'created_at',
]);
