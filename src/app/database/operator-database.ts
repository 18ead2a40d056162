import type { Settings } from '../../config/index.js';
import { dataDirectory } from '../../config/process/index.js';
import { createLogger } from '../../log/index.js';
import { onConnection, type Sql } from '../../store/client/index.js';
import { migrate } from '../../store/schema/index.js';
import { readRunState, startEmbeddedPostgres } from '../postgres/index.js';
import { makeDataDirectory } from '../privileges/index.js';

/**
 * Runs an operator's command with a migrated database. Uses `DATABASE_URL` if it is set, else the database of a running
 * `cochlea up`. Otherwise it starts the embedded database until the command ends.
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
  return onConnection(url, { name: 'operator' }, (sql) => use(sql, url));
};
