import { type RowOf, userSettingsRecord } from '../../wire/records/index.js';
import type { Sql } from '../client/index.js';
import { columnsOf } from './record-rows.js';

/** What a user has set. */
export type UserSettingsRow = RowOf<typeof userSettingsRecord>;

const { selected } = columnsOf(userSettingsRecord);

/** null when there is no such user. */
export const readUserSettings = async (sql: Sql, uid: string): Promise<UserSettingsRow | null> => {
  const [row] = await sql<UserSettingsRow[]>`select ${sql.unsafe(selected)} from users where uid = ${uid}`;
  return row ?? null;
};

/** null when there is no such user. */
export const changeUserSettings = async (
  sql: Sql,
  uid: string,
  changes: Partial<UserSettingsRow>,
): Promise<UserSettingsRow | null> => {
  const [row] = await sql<UserSettingsRow[]>`
    update users set ${sql(changes as never)} where uid = ${uid} returning ${sql.unsafe(selected)}`;
  return row ?? null;
};
