import type { Sql } from './database.js';
import { type TimedRow, timedRows } from './timed-rows.js';

/** What a user had on the screen at a time. */
export interface ScreenActivityRow extends TimedRow {
  readonly app_name: string;
  readonly window_title: string | null;
  readonly ocr_text: string | null;
}

export const screenActivityRows = timedRows<ScreenActivityRow>('screen_activity', [
  'id',
  'app_name',
  'window_title',
  'ocr_text',
  'created_at',
]);

/** What was seen of one application. */
export interface ScreenTimeRow {
  readonly app_name: string;
  readonly count: number;
  readonly first_seen: Date;
  readonly last_seen: Date;
  readonly window_titles: string[];
}

/** Applications of a summary, and titles of each. */
const mostApps = 200;
const mostTitles = 20;

/** What a user had on the screen in a period, by application, the most frequent first. */
export const screenTimeByApp = async (
  sql: Sql,
  uid: string,
  from: Date | null,
  to: Date | null,
  app: string | null,
): Promise<ScreenTimeRow[]> => [
  ...(await sql<ScreenTimeRow[]>`
    select app_name, count(*)::integer as count, min(created_at) as first_seen, max(created_at) as last_seen,
      coalesce((array_agg(distinct window_title) filter (where window_title is not null))[1:${mostTitles}::integer], '{}')
        as window_titles
    from screen_activity
    where uid = ${uid} and (${from}::timestamptz is null or created_at >= ${from})
      and (${to}::timestamptz is null or created_at <= ${to}) and (${app}::text is null or app_name = ${app})
    group by app_name order by count(*) desc, app_name limit ${mostApps}`),
];
