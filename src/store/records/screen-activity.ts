import type { Sql } from '../client/index.js';

/** A user's screen activity in one application. */
export interface ScreenTimeRow {
  readonly app_name: string;
  readonly count: number;
  readonly first_seen: Date;
  readonly last_seen: Date;
  readonly window_titles: string[];
}

/** Screen activity of a period: the most frequent applications, and totals of all applications. */
export interface ScreenTimeRows {
  readonly apps: ScreenTimeRow[];
  /** Number of applications in the period, and number of rows of all applications. */
  readonly appCount: number;
  readonly rowCount: number;
}

/** Maximum number of applications in a summary, and of window titles for each application. */
const mostApps = 1000;
const mostTitles = 20;

/** Reads a user's screen activity of a period, by application. The application with the most rows comes first. */
export const screenTimeByApp = async (
  sql: Sql,
  uid: string,
  from: Date | null,
  to: Date | null,
  app: string | null,
): Promise<ScreenTimeRows> => {
  const rows = await sql<(ScreenTimeRow & { app_count: number; row_count: number })[]>`
    select app_name, count(*)::integer as count, count(*) over ()::integer as app_count,
      sum(count(*)) over ()::integer as row_count, min(created_at) as first_seen, max(created_at) as last_seen,
      coalesce((array_agg(distinct window_title) filter (where window_title is not null))[1:${mostTitles}::integer], '{}')
        as window_titles
    from screen_activity
    where uid = ${uid} and (${from}::timestamptz is null or created_at >= ${from})
      and (${to}::timestamptz is null or created_at <= ${to}) and (${app}::text is null or app_name = ${app})
    group by app_name order by count(*) desc, app_name limit ${mostApps}`;
  const apps = rows.map(({ app_count: _apps, row_count: _rows, ...row }) => row);
  return { apps, appCount: rows[0]?.app_count ?? 0, rowCount: rows[0]?.row_count ?? 0 };
};
