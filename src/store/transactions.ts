import { setTimeout as pause } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import { isDatabaseAway } from './failure.js';

/** Ms in which a connection that failed is found to be closed. */
const closingTime = 50;
const never = new Promise<never>(() => {});

type Work = (transaction: TransactionSql) => unknown;

/**
 * Makes `sql.begin` safe against a connection that goes away in the middle. The library would then send its rollback,
 * or the next statement of the work, to a socket that is gone, from a callback nobody can catch (the process ends), or
 * to its successor, outside any transaction (porsager/postgres issues 1133 and 1208, not fixed in 3.4.9). Here the work
 * neither ends nor continues once its connection is lost; `begin` rejects with the loss all the same.
 */
export const withSafeTransactions = (sql: Sql): Sql => {
  const begin = (...given: [Work] | [string, Work]): Promise<unknown> => {
    const [mode, work] = given.length === 2 ? given : ['', given[0]];
    let lost = false;
    const outcome = sql.begin(mode, async (transaction) => {
      try {
        const result = work(refusingWhen(transaction, () => lost));
        return await (Array.isArray(result) ? Promise.all(result) : result);
      } catch (thrown) {
        if (isDatabaseAway(thrown)) await pause(closingTime);
        if (lost) await never;
        throw thrown;
      }
    });
    outcome.catch(() => {
      lost = true;
    });
    return outcome;
  };
  return new Proxy(sql, {
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  });
};

const refusingWhen = (transaction: TransactionSql, lost: () => boolean): TransactionSql =>
  new Proxy(transaction, {
    apply: (target, _this, given) => {
      if (lost())
        throw Object.assign(new Error('the connection of this transaction is gone'), {
          code: 'CONNECTION_CLOSED',
        });
      return Reflect.apply(target as (...given: unknown[]) => unknown, undefined, given);
    },
  });
