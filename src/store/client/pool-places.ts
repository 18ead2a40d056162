import type { Sql } from 'postgres';

/**
 * Number of statements after which the array of waiting connections is cleaned. A thousand leftover entries cost each
 * statement about 0.1 µs.
 */
export const statementsBetween = 1000;

/**
 * Keeps the array of waiting connections in postgres.js short.
 *
 * postgres.js keeps idle connections, which wait for a statement, in an array. When it takes a connection, it replaces
 * the entry with undefined. It only shortens the array when no connection is left in it. Every statement scans the
 * whole array (porsager/postgres 3.4.9, `src/queue.js`). In a pool that always has a waiting connection, the array
 * never empties. After a million statements each statement took 0.2 ms more.
 *
 * So this function sends one empty statement for each connection after every `statementsBetween` statements. The empty
 * statements take all waiting connections out of the array.
 * @param max number of connections in the pool. With one connection nothing is sent, because the array empties whenever
 *   that connection is taken.
 * @returns a function that the caller must call for every statement.
 */
export const keepPlacesFew = (sql: Pick<Sql, 'unsafe'>, max: number): (() => void) => {
  let statements = 0;
  return () => {
    statements++;
    if (max < 2 || statements % statementsBetween !== 0) return;
    // A failed statement also takes its connection out of the array, so its error is ignored.
    for (let count = 0; count < max; count++) sql.unsafe('select').catch(() => {});
  };
};
