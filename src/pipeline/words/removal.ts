import type { Logger } from '../../log/index.js';
import { removeSome } from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { ownedTables } from '../../store/schema/index.js';

/**
 * Removes what belongs to the accounts that are being deleted, piece by piece, until nothing is left or `stopped` says so. Any number of
 * processes may do so at once, and each goes on where another one ended.
 * @returns how many accounts are gone now.
 */
export const removeAccounts = async (
  sql: Sql,
  log: Logger,
  stopped: () => boolean = () => false,
): Promise<number> => {
  let finished = 0;
  // Read each time: the service may have been upgraded since a deletion began.
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
