/**
 * The PostgreSQL client: connections and their limit, prepared and direct statements, transactions, retries,
 * failures.
 */
export { type Announcer, announce, announcing } from './announcements.js';
export { arrayLiteral } from './array-types.js';
export { readConnectionLimit } from './connection-limit.js';
export { preparedRaw, preparedText, type RawRow } from './constant-text.js';
export { connectDatabase, databasePlace, onConnection, type Sql, type TransactionSql } from './database.js';
export type { TextValue } from './direct-statement.js';
export { codeOf, isDangling, isDatabaseAway, isDuplicate, isTimeout, treatmentOf } from './failure.js';
export { firstRow, hasRows } from './first-row.js';
export { type LeftOut, type Listed, listed, moment, type Page, type Period, type Position } from './page.js';
export { retrying } from './retry.js';
export { inOrder, uuidsOf } from './rows-by-id.js';
export { StatementError } from './statement-error.js';
export { lockForUser } from './user-lock.js';
export { takeRows } from './watched-statement.js';
