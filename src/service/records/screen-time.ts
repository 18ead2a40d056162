import { storableText } from '../../common/index.js';
import type { Period, Sql } from '../../store/client/index.js';
import { isoUtc } from '../../store/record/index.js';
import { screenTimeByApp } from '../../store/records/index.js';

export interface ScreenTimeQuery extends Period {
  readonly app?: string | undefined;
}

/**
 * Returns a user's screen time by application. The total counts every row of the period. Less frequent applications are summed as
 * `other_apps`.
 */
export const screenTime = async (sql: Sql, uid: string, { from, to, app }: ScreenTimeQuery) => {
  const { apps, appCount, rowCount } = await screenTimeByApp(
    sql,
    uid,
    from ?? null,
    to ?? null,
    app === undefined ? null : storableText(app),
  );
  return {
    apps: Object.fromEntries(
      apps.map(({ app_name, count, first_seen, last_seen, window_titles }) => [
        app_name,
        { count, first_seen: isoUtc(first_seen), last_seen: isoUtc(last_seen), window_titles },
      ]),
    ),
    total_screenshots: rowCount,
    ...(appCount > apps.length && {
      other_apps: {
        apps: appCount - apps.length,
        count: apps.reduce((left, { count }) => left - count, rowCount),
      },
    }),
  };
};
