import type { Logger } from '../../log/index.js';
import { removeSome } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { ownedTables } from '../../store/schema/index.js';

/**
 * Removes the data of accounts that are being deleted, piece by piece. Ends when nothing is left, or when `stopped`
 * returns true. Several processes may run it at once. Each process continues where another process ended.
 * @returns the number of accounts whose removal was finished.
 */
export const removeAccounts = async (
  sql: Sql,
  log: Logger,
  stopped: () => boolean = () => false,
): Promise<number> => {
  let finished = 0;
  // Reads the tables each time, because an upgrade may have added tables since the deletion began.
  const tables = await ownedTables(sql);
  while (!stopped()) {
    const outcome = await removeSome(sql, tables);
    if (outcome === 'idle') break;
    if (outcome === 'finished') {
      finished++;
      log.info('an account is deleted');
    }
  }
  return finished;
};
