import type { Sql } from '../client/index.js';

/** What a user has set; also what translation, due dates and summaries go by. */
export interface UserSettingsRow {
  readonly name: string | null;
  readonly language: string | null;
  readonly single_language_mode: boolean;
  readonly time_zone: string;
  /** Whether voices are compared, learned and enrolled for the user. */
  readonly voice_recognition: boolean;
  /** Whether conversations of two devices at one place become one. */
  readonly merge_devices: boolean;
}

const columns = `name, language, single_language_mode, time_zone, voice_recognition, merge_devices`;

/** null when there is no such user. */
export const readUserSettings = async (sql: Sql, uid: string): Promise<UserSettingsRow | null> => {
  const [row] = await sql<UserSettingsRow[]>`select ${sql.unsafe(columns)} from users where uid = ${uid}`;
  return row ?? null;
};

/** null when there is no such user. */
export const changeUserSettings = async (
  sql: Sql,
  uid: string,
  changes: Partial<UserSettingsRow>,
): Promise<UserSettingsRow | null> => {
  const [row] = await sql<UserSettingsRow[]>`
    update users set ${sql(changes as never)} where uid = ${uid} returning ${sql.unsafe(columns)}`;
  return row ?? null;
};
