import type { Sql } from '../../store/client/index.js';
import { readProfile, removeProfile, writeProfile } from '../../store/records/index.js';
import { type CreationOf, profileRecord, type ShownOf } from '../../wire/records/index.js';
import { refusalsOf, shownForm, valuesOf } from './record-values.js';

const values = valuesOf(profileRecord);
const { found } = refusalsOf(profileRecord);
const view = shownForm(profileRecord, 'developer');

export type Profile = ShownOf<typeof profileRecord>;

/** Returns the profile of a user; null if the user has none. */
export const findProfile = async (sql: Sql, uid: string): Promise<Profile | null> => {
  const row = await readProfile(sql, uid);
  return row && view(row);
};

/** Returns the profile of a user. @throws CochleaError `record_not_found` */
export const getProfile = async (sql: Sql, uid: string): Promise<Profile> =>
  view(found(await readProfile(sql, uid)));

/** Writes the profile of a user. Replaces an earlier profile. @throws CochleaError `validation_failed` */
export const putProfile = async (
  sql: Sql,
  uid: string,
  given: CreationOf<typeof profileRecord>,
): Promise<Profile> => {
  const row = { ...values.created(given), generated_at: given.generated_at ?? new Date() };
  return view(await writeProfile(sql, uid, row));
};

/** Deletes the profile of a user, if any. */
export const deleteProfile = (sql: Sql, uid: string): Promise<void> => removeProfile(sql, uid);
