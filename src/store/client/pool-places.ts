import type { Sql } from 'postgres';

/** Statements after which the places are given back. A thousand of them cost each statement about a tenth of a microsecond. */
export const statementsBetween = 1000;

/**
 * The client library keeps the connections of a pool that wait for a statement in an array. The place of one that is taken stays, as
 * undefined, until the array is empty, and every statement looks through all of them (porsager/postgres 3.4.9, `src/queue.js`). A pool of
 * which some connection always waits would never be empty: after a million statements each one took 0.2 ms more.
 *
 * So now and then as many statements that do nothing are sent at once as the pool has connections: each takes a connection out.
 * @param max connections of the pool; of one connection the array is empty whenever it is taken.
 * @returns what has to be called for every statement.
 */
export const keepPlacesFew = (sql: Pick<Sql, 'unsafe'>, max: number): (() => void) => {
  let statements = 0;
  return () => {
    statements++;
    if (max < 2 || statements % statementsBetween !== 0) return;
    // One that fails has taken its connection, too.
    for (let count = 0; count < max; count++) sql.unsafe('select').catch(() => {});
  };
};
