import type { Sql } from '../store/client/index.js';
import { readUserSettings, type UserSettingsRow } from '../store/records/index.js';

/** Ms for which a user's language is cached. */
const keptTime = 30_000;
/** Maximum number of users in the cache. */
const mostKept = 10_000;

/** Values of a user's language setting that do not name a language. */
const noLanguages: ReadonlySet<string> = new Set(['', 'multi', 'auto']);

/**
 * Returns the language into which a user's conversations are translated. This is the language in the user's settings,
 * if it is set. A user who speaks only a single language gets no translations.
 * @returns null if nothing is translated.
 */
export const targetOfUser = (
  user: Pick<UserSettingsRow, 'language' | 'single_language_mode'> | null,
): string | null => {
  const language = user?.language?.trim() ?? '';
  if (user === null || user.single_language_mode || noLanguages.has(language.toLowerCase())) return null;
  return language;
};

/** Creates a function that reads the target languages of users and caches them for a while. @param now returns the time in ms. */
export const createUserTargets = (sql: Sql, now: () => number): ((uid: string) => Promise<string | null>) => {
  const kept = new Map<string, { readonly target: string | null; readonly until: number }>();
  return async (uid) => {
    const known = kept.get(uid);
    if (known !== undefined && now() < known.until) return known.target;
    const target = targetOfUser(await readUserSettings(sql, uid));
    kept.delete(uid);
    kept.set(uid, { target, until: now() + keptTime });
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(oldest);
    }
    return target;
  };
};
