import { type RowOf, userSettingsRecord } from '../../wire/records/index.js';
import { firstRow, type Sql } from '../client/index.js';
import { columnsOf } from './record-rows.js';

/** The settings of a user. */
export type UserSettingsRow = RowOf<typeof userSettingsRecord>;

const { selected } = columnsOf(userSettingsRecord);

/** Reads the settings; null when the user does not exist. */
export const readUserSettings = async (sql: Sql, uid: string): Promise<UserSettingsRow | null> => {
  return firstRow(sql<UserSettingsRow[]>`select ${sql.unsafe(selected)} from users where uid = ${uid}`);
};

/** Reads the settings of each user; null for a user that does not exist. */
export const readUsersSettings = async (
  sql: Sql,
  uids: readonly string[],
): Promise<readonly (UserSettingsRow | null)[]> => {
  const rows = await sql<(UserSettingsRow & { uid: string })[]>`
    select uid, ${sql.unsafe(selected)} from users where uid in ${sql(uids as string[])}`;
  const byUser = new Map(rows.map((row) => [row.uid, row]));
  return uids.map((uid) => byUser.get(uid) ?? null);
};

/** Changes the settings; null when the user does not exist. */
export const changeUserSettings = async (
  sql: Sql,
  uid: string,
  changes: Partial<UserSettingsRow>,
): Promise<UserSettingsRow | null> => {
  return firstRow(sql<UserSettingsRow[]>`
    update users set ${sql(changes as never)} where uid = ${uid} returning ${sql.unsafe(selected)}`);
};
