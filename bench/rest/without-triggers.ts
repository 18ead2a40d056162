import type { Sql } from '../../src/store/client/database.js';

/** Runs `work` with the triggers of some tables disabled. These triggers store the words for searches. */
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
