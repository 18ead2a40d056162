import type { Sql, TransactionSql } from '../../store/client/index.js';
import { changeUserSettings, readUserSettings, type UserSettingsRow } from '../../store/records/index.js';
import { givenLanguage, storedLanguage } from '../../wire/index.js';
import { type ChangeOf, changesOf, userSettingsRecord } from '../../wire/records/index.js';
import { invalid, requireSome } from '../rules/index.js';
import { refusalsOf, valuesOf } from './record-values.js';

/** Absent values are not changed; null clears name and language, and makes the zone UTC. */
export type UserSettingsPatch = ChangeOf<typeof userSettingsRecord>;

/** The name of a time zone as the system spells it; null for one that it does not know. */
export const timeZoneNamed = (name: string): string | null => {
  // Later releases of Node.js also take an offset such as +05:00, which knows no summer time.
  if (/^[+-]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};

const values = valuesOf(userSettingsRecord, {
  time_zone: (given: string): string => {
    const zone = timeZoneNamed(given);
    if (zone !== null) return zone;
    throw invalid('time_zone must be an IANA name such as Europe/Berlin', 'body.time_zone');
  },
  language: (given: string): string | null => {
    if (given.trim() === '') return null;
    if (givenLanguage.test(given.trim())) return storedLanguage(given);
    throw invalid('language must be a language code such as en', 'body.language');
  },
});
const { found } = refusalsOf(userSettingsRecord);

export type UserSettings = UserSettingsRow;

/** What a user has set. @throws CochleaError `record_not_found` for an account that was deleted meanwhile. */
export const getUserSettings = async (sql: Sql, uid: string): Promise<UserSettings> =>
  found(await readUserSettings(sql, uid));

/** The time zone of a user, an IANA name; UTC where none is set, and for an account that was deleted meanwhile. */
export const timeZoneOf = async (sql: Sql | TransactionSql, uid: string): Promise<string> =>
  (await readUserSettings(sql as Sql, uid))?.time_zone ?? 'UTC';

/** Changes what a user has set. @throws CochleaError `validation_failed`, `record_not_found` */
export const updateUserSettings = async (
  sql: Sql,
  uid: string,
  patch: UserSettingsPatch,
): Promise<UserSettings> => {
  requireSome(patch, changesOf(userSettingsRecord));
  return found(await changeUserSettings(sql, uid, values.changed(patch)));
};
