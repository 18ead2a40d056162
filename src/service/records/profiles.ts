import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { isoUtc } from '../../store/record/index.js';
import { type ProfileRow, readProfile, removeProfile, writeProfile } from '../../store/records/index.js';
import { invalid, requiredText } from '../rules/index.js';

/** Bounds of a profile; lengths in code points. */
export const profileBounds = { text: 20_000, sources: 50, source: 100 } as const;

const view = (row: ProfileRow) => ({
  profile_text: row.profile_text,
  generated_at: isoUtc(row.generated_at),
  data_sources_used: row.data_sources_used,
});

export type Profile = ReturnType<typeof view>;

export interface NewProfile {
  readonly text: string;
  readonly sources: readonly string[];
  /** Now when absent. */
  readonly generatedAt?: Date | null | undefined;
}

/** The profile of a user; null where there is none. */
export const findProfile = async (sql: Sql, uid: string): Promise<Profile | null> => {
  const row = await readProfile(sql, uid);
  return row && view(row);
};

/** The profile of a user. @throws CochleaError `record_not_found` */
export const getProfile = async (sql: Sql, uid: string): Promise<Profile> => {
  const row = await readProfile(sql, uid);
  if (!row) throw new CochleaError('record_not_found', { kind: 'Profile' });
  return view(row);
};

/** Writes the profile of a user in place of an earlier one. @throws CochleaError `validation_failed` */
export const putProfile = async (sql: Sql, uid: string, given: NewProfile): Promise<Profile> => {
  if (given.sources.length > profileBounds.sources) {
    throw invalid(`At most ${profileBounds.sources} data sources`, 'body.data_sources_used');
  }
  const row = await writeProfile(sql, uid, {
    profile_text: requiredText('profile_text', given.text, profileBounds.text),
    data_sources_used: given.sources.map((source) =>
      requiredText('data_sources_used', source, profileBounds.source),
    ),
    generated_at: given.generatedAt ?? new Date(),
  });
  return view(row);
};

/** Deletes the profile of a user, if there is one. */
export const deleteProfile = (sql: Sql, uid: string): Promise<void> => removeProfile(sql, uid);
