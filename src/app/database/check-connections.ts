import { connectionPlan, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { onConnection, readConnectionLimit, type Sql } from '../../store/client/index.js';

/**
 * Compares the number of connections that this deployment may open with the server's limit.
 * @returns the server's limit, and the number of connections that other programs have open.
 * @throws CochleaError `database_connections` if the server allows fewer connections than the deployment may open.
 */
export const requireConnections = async (settings: Settings, sql: Sql) => {
  const limit = await readConnectionLimit(sql);
  const { total } = connectionPlan(settings);
  if (total > limit.allowed) {
    throw new CochleaError('database_connections', { needed: total, allowed: limit.allowed });
  }
  return limit;
};

/**
 * Checks at the start of a process, on a separate connection, that the database allows enough connections. If other
 * programs hold too many connections, it only logs a warning, because these programs may end soon.
 * @throws the errors of `requireConnections`.
 */
export const checkConnections = (settings: Settings, log: Logger): Promise<void> =>
  onConnection(settings.databaseUrl, { name: 'start' }, async (sql) => {
    const { allowed, others } = await requireConnections(settings, sql);
    const { total } = connectionPlan(settings);
    if (total + others > allowed) {
      log.warn({ needed: total, allowed, others }, 'other programs leave too few connections to PostgreSQL');
    }
  });
