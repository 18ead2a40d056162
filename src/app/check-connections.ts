import { connectionPlan } from '../config/connections.js';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { readConnectionLimit } from '../store/connection-limit.js';
import { connectDatabase, type Sql } from '../store/database.js';

/**
 * Compares what this deployment may open with what the server allows.
 * @returns what the server allows, and what other programs hold of it.
 * @throws CochleaError `database_connections` when the server can never grant all of them.
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
 * The same at the start of a process, on a connection of its own; other programs that leave too few are warned of,
 * since they may be gone by the time they are needed.
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
