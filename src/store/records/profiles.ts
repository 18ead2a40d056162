import { profileRecord, type RowOf } from '../../wire/records/index.js';
import { firstRow, type Sql } from '../client/index.js';
import { columnsOf } from './record-rows.js';

/** A text that describes a user. */
export type ProfileRow = RowOf<typeof profileRecord>;

const { selected } = columnsOf(profileRecord);

export const readProfile = async (sql: Sql, uid: string): Promise<ProfileRow | null> => {
  return firstRow(sql<ProfileRow[]>`select ${sql.unsafe(selected)} from profiles where uid = ${uid}`);
};

/** Writes the profile of a user. Replaces an earlier profile. */
export const writeProfile = async (sql: Sql, uid: string, profile: ProfileRow): Promise<ProfileRow> => {
  const [row] = await sql<ProfileRow[]>`
    insert into profiles ${sql({ ...profile, uid } as never)}
    on conflict (uid) do update set profile_text = excluded.profile_text,
      data_sources_used = excluded.data_sources_used, generated_at = excluded.generated_at
    returning ${sql.unsafe(selected)}`;
  return row!;
};

export const removeProfile = async (sql: Sql, uid: string): Promise<void> => {
  await sql`delete from profiles where uid = ${uid}`;
};
