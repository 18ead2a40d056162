import { dataDirectory } from '../../config/data-dir.js';
import type { Settings } from '../../config/load-settings.js';
import { createLogger } from '../../log/logger.js';
import { connectDatabase, type Sql } from '../../store/client/database.js';
import { migrate } from '../../store/schema/migrate.js';
import { makeDataDirectory } from '../privileges/make-data-directory.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { readRunState } from './run-state.js';

/**
 * Gives an operator's command a migrated database: the one of `DATABASE_URL`, else that of a running `cochlea up`, else the
 * embedded one, which runs until the command has ended.
 * @throws CochleaError `database_unreachable` or `database_schema_newer`.
 */
export const withDatabase = async <Result>(
  settings: Settings,
  use: (sql: Sql, url: string) => Promise<Result>,
): Promise<Result> => {
  const dataDir = dataDirectory(settings);
  const running = settings.databaseUrl || (await readRunState(dataDir))?.databaseUrl;
  if (running) return onDatabase(running, use);
  await makeDataDirectory(dataDir);
  const embedded = await startEmbeddedPostgres({ dataDir, log: createLogger('postgres', 'warn') });
  try {
    return await onDatabase(embedded.url, use);
  } finally {
    await embedded.stop();
  }
};

const onDatabase = async <Result>(
  url: string,
  use: (sql: Sql, url: string) => Promise<Result>,
): Promise<Result> => {
  await migrate(url);
  const sql = connectDatabase(url, { max: 1, name: 'operator' });
  try {
    return await use(sql, url);
  } finally {
    await sql.end({ timeout: 5 });
  }
};
