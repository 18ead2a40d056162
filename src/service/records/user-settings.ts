import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { changeUserSettings, readUserSettings, type UserSettingsRow } from '../../store/records/index.js';
import { givenLanguage, storedLanguage } from '../../wire/index.js';
import { invalid, optionalText, present, requireSome } from '../rules/index.js';

/** Bounds of settings; lengths in code points. */
export const userBounds = { name: 100, timeZone: 64 } as const;

/** Absent values are not changed; null clears name and language, and makes the zone UTC. */
export interface UserSettingsPatch {
  readonly name?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly singleLanguageMode?: boolean | undefined;
  readonly timeZone?: string | null | undefined;
  readonly voiceRecognition?: boolean | undefined;
  readonly mergeDevices?: boolean | undefined;
}

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

const zoneOf = (given: string | null): string => {
  const zone = timeZoneNamed(given ?? 'UTC');
  if (zone !== null) return zone;
  throw invalid('time_zone must be an IANA name such as Europe/Berlin', 'body.time_zone');
};

const languageOf = (given: string | null): string | null => {
  if (given === null || given.trim() === '') return null;
  if (givenLanguage.test(given.trim())) return storedLanguage(given);
  throw invalid('language must be a language code such as en', 'body.language');
};

const gone = (): CochleaError => new CochleaError('record_not_found', { kind: 'User' });

export type UserSettings = UserSettingsRow;

/** What a user has set. @throws CochleaError `record_not_found` for an account that was deleted meanwhile. */
export const getUserSettings = async (sql: Sql, uid: string): Promise<UserSettings> => {
  const row = await readUserSettings(sql, uid);
  if (!row) throw gone();
  return row;
};

/** The time zone of a user, an IANA name; UTC where none is set, and for an account that was deleted meanwhile. */
export const timeZoneOf = async (sql: Sql | TransactionSql, uid: string): Promise<string> =>
  (await readUserSettings(sql as Sql, uid))?.time_zone ?? 'UTC';

/** Changes what a user has set. @throws CochleaError `validation_failed`, `record_not_found` */
export const updateUserSettings = async (
  sql: Sql,
  uid: string,
  patch: UserSettingsPatch,
): Promise<UserSettings> => {
  requireSome(patch, 'name, language, single_language_mode, time_zone, voice_recognition, or merge_devices');
  const changes = present({
    name: patch.name === undefined ? undefined : optionalText('name', patch.name, userBounds.name),
    language: patch.language === undefined ? undefined : languageOf(patch.language),
    single_language_mode: patch.singleLanguageMode,
    time_zone: patch.timeZone === undefined ? undefined : zoneOf(patch.timeZone),
    voice_recognition: patch.voiceRecognition,
    merge_devices: patch.mergeDevices,
  });
  const row = await changeUserSettings(sql, uid, changes);
  if (!row) throw gone();
  return row;
};
