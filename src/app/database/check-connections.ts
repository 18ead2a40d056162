import { connectionPlan, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { connectDatabase, readConnectionLimit, type Sql } from '../../store/client/index.js';

/**
 * Compares the connections that this deployment may open with those that the server allows.
 * @returns the number that the server allows, and how many of them other programs hold.
 * @throws CochleaError `database_connections` when the server allows fewer than the deployment may open.
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
 * Does the same at the start of a process, on a connection of its own. When other programs hold so many that too few are
 * left, it only logs a warning, because they may close them before they are needed.
 */
export const checkConnections = async (settings: Settings, log: Logger): Promise<void> => {
  const sql = connectDatabase(settings.databaseUrl, { max: 1, name: 'start' });
  try {
    const { allowed, others } = await requireConnections(settings, sql);
    const { total } = connectionPlan(settings);
    if (total + others > allowed) {
      log.warn({ needed: total, allowed, others }, 'other programs leave too few connections to PostgreSQL');
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
};
