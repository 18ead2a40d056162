import { setTimeout as pause } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import { type Announcer, announceAfter, announceOn } from './announcements.js';
import type { CancelledWaits } from './cancelled-waits.js';
import { directSender, sendsDirectly } from './direct-statement.js';
import { isDatabaseAway } from './failure.js';
import { keepPlacesFew } from './pool-places.js';
import { retrying } from './retry.js';
import type { SlowStatements } from './slow-statements.js';
import { withoutValues } from './statement-error.js';
import { watchStatement } from './watched-statement.js';

/** Number of ms to wait after a connection failure, so that postgres.js can notice that the connection has closed. */
const closingTime = 50;
const never = new Promise<never>(() => {});

type Work = (transaction: TransactionSql) => unknown;
type Callable = (...given: unknown[]) => unknown;

/**
 * Makes a pool safe in four ways, and counts its statements for `keepPlacesFew`.
 *
 * 1. A connection may be lost in the middle of `sql.begin`. postgres.js would then send the next statement, the commit
 *    or the rollback to the closed socket, or to another connection outside any transaction. The closed socket raises
 *    an error in a callback, which ends the process (porsager/postgres issues 1133 and 1208, not fixed in 3.4.9). With
 *    this function, the work of a transaction never continues once its connection is lost, and `begin` rejects with the
 *    connection's error.
 *
 * 2. A transaction that the server rolls back because of a deadlock is repeated a bounded number of times. So the work
 *    of `begin` must not have effects outside the transaction.
 *
 * 3. Errors do not contain values of rows, parameters or statements (`StatementError`).
 *
 * 4. A commit fails if its wait for a synchronous standby was cancelled (`CancelledWaits`).
 * @param waits counts the pool's warnings of cancelled waits.
 * @param onRepeat is called before every repetition.
 * @param slow which statements are reported as slow.
 * @param announcer carries announcements of the pool and of its committed transactions.
 */
export const withSafeTransactions = (
  sql: Sql,
  waits: CancelledWaits,
  onRepeat?: () => void,
  slow?: SlowStatements,
  announcer?: Announcer,
): Sql => {
  const counted = keepPlacesFew(sql, sql.options.max);
  const attempt = (mode: string, work: Work): Promise<unknown> => {
    let lost = false;
    let committed = (): void => undefined;
    const cancelled = waits.count;
    const outcome = sql.begin(mode, async (transaction) => {
      try {
        const safe = refusingWhen(transaction, () => lost, waits, slow);
        committed = announceAfter(pool, safe);
        const result = work(safe);
        const outcome = await (Array.isArray(result) ? Promise.all(result) : result);
        if (lost) await never;
        return outcome;
      } catch (thrown) {
        if (isDatabaseAway(thrown)) await pause(closingTime);
        if (lost) await never;
        throw thrown;
      }
    });
    outcome.catch(() => {
      lost = true;
    });
    // postgres.js sends the commit itself, so the error of the commit is converted here.
    return outcome.then(
      (result) => {
        if (waits.count !== cancelled) throw waits.failure();
        committed();
        return result;
      },
      (thrown: unknown) => {
        throw withoutValues(thrown);
      },
    );
  };
  const begin = (...given: [Work] | [string, Work]): Promise<unknown> => {
    const [mode, work] = given.length === 2 ? given : ['', given[0]];
    counted();
    return retrying(() => attempt(mode, work), onRepeat);
  };
  const unsafe = watched(sql.unsafe as Callable, counted, waits, slow);
  const tagged = watched(sql as unknown as Callable, counted, waits, slow);
  const direct = directSender(sql, counted, waits, slow);
  const pool = inPlaceOf(sql, tagged, { begin, unsafe, [sendsDirectly]: direct });
  if (announcer !== undefined) announceOn(pool, announcer);
  return pool;
};

/**
 * Gives the function `call` the properties of `target`, so that the caller can use `call` instead of `target`.
 * `replaced` contains properties with a new value. A Proxy would be slower, because V8 (Node 20) retains objects made
 * in a Proxy's call trap. A sixth of a request's allocations would then wait for a full collection.
 */
const inPlaceOf = <Target extends object>(
  target: Target,
  call: Callable,
  replaced: Readonly<Record<string | symbol, unknown>>,
): Target => Object.assign(Object.setPrototypeOf(call, target), replaced);

/**
 * Wraps a function that makes statements. Each statement then fails with a `StatementError` and is reported when slow.
 * @param before is called before each statement
 */
const watched =
  (make: Callable, before: () => void, waits: CancelledWaits, slow: SlowStatements | undefined): Callable =>
  (...given) => {
    before();
    return watchStatement(make(...given), given[0], waits, slow);
  };

const refusingWhen = (
  transaction: TransactionSql,
  lost: () => boolean,
  waits: CancelledWaits,
  slow: SlowStatements | undefined,
): TransactionSql => {
  const refuse = (): void => {
    if (lost())
      throw Object.assign(new Error('the connection of this transaction was lost'), {
        code: 'CONNECTION_CLOSED',
      });
  };
  const tagged = watched(transaction as unknown as Callable, refuse, waits, slow);
  return inPlaceOf(transaction, tagged, {
    unsafe: watched(transaction.unsafe as Callable, refuse, waits, slow),
  });
};
