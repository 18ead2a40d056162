import type { Sql } from '../../src/store/client/database.js';

/** Runs `work` while the triggers of some tables are disabled. These triggers store search words. */
export const withoutTriggers = async (
  sql: Sql,
  tables: readonly string[],
  work: () => PromiseLike<unknown>,
): Promise<void> => {
  for (const table of tables) await sql`alter table ${sql(table)} disable trigger user`;
  try {
    await work();
  } finally {
    for (const table of tables) await sql`alter table ${sql(table)} enable trigger user`;
  }
};
