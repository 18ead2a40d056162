import type { Sql, TransactionSql } from '../../store/client/index.js';
import { changeUserSettings, readUserSettings, type UserSettingsRow } from '../../store/records/index.js';
import { givenLanguage, keywordRefusal, readKeywords, storedLanguage } from '../../wire/index.js';
import {
  type ChangeOf,
  changesOf,
  userLanguageBounds,
  userSettingsRecord,
} from '../../wire/records/index.js';
import { invalid, requireSome } from '../rules/index.js';
import { refusalsOf, valuesOf } from './record-values.js';

/** Changes to a user's settings. Absent values are not changed. null clears name, language and languages, and sets the time zone to UTC. */
export type UserSettingsPatch = ChangeOf<typeof userSettingsRecord>;

/** Returns a time zone name in the system's spelling; null for an unknown zone. */
export const timeZoneNamed = (name: string): string | null => {
  // Later releases of Node.js also accept an offset such as +05:00. An offset is refused, because it does not change in
  // summer.
  if (/^[+-]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};

/** Returns the stored form of a language code. Returns null for `multi`, and for a text that is not a language code. */
const languageNamed = (given: string): string | null => {
  const language = givenLanguage.test(given.trim()) && given.trim() !== '' ? storedLanguage(given) : 'multi';
  return language === 'multi' ? null : language;
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
  languages: (given: readonly string[]): readonly string[] => {
    const most = userLanguageBounds.languages;
    if (given.length > most) throw invalid(`languages should have at most ${most} items`, 'body.languages');
    const codes = given.map((code) => {
      const language = languageNamed(code);
      if (language !== null) return language;
      throw invalid('languages must be language codes such as en', 'body.languages');
    });
    return [...new Set(codes)];
  },
  custom_words: (given: readonly string[]): readonly string[] => {
    const read = readKeywords(given);
    if ('words' in read) return read.words;
    throw invalid(`custom_words has ${keywordRefusal(read)}`, 'body.custom_words');
  },
});
const { found } = refusalsOf(userSettingsRecord);

export type UserSettings = UserSettingsRow;

/** Returns a user's settings. @throws CochleaError `record_not_found` for an account that was deleted meanwhile. */
export const getUserSettings = async (sql: Sql, uid: string): Promise<UserSettings> =>
  found(await readUserSettings(sql, uid));

/** Returns a user's time zone, an IANA name. Returns UTC if no zone is set or the account was deleted meanwhile. */
export const timeZoneOf = async (sql: Sql | TransactionSql, uid: string): Promise<string> =>
  (await readUserSettings(sql as Sql, uid))?.time_zone ?? 'UTC';

/** Changes a user's settings. @throws CochleaError `validation_failed`, `record_not_found` */
export const updateUserSettings = async (
  sql: Sql,
  uid: string,
  patch: UserSettingsPatch,
): Promise<UserSettings> => {
  requireSome(patch, changesOf(userSettingsRecord));
  return found(await changeUserSettings(sql, uid, values.changed(patch)));
};
