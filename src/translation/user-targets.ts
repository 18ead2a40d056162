import type { Sql } from '../store/client/index.js';
import { readUserSettings, type UserSettingsRow } from '../store/records/index.js';

/** Ms in which what a user has set is taken as read. */
const keptTime = 30_000;
/** Users that are remembered. */
const mostKept = 10_000;

/** Values of a user's language that name none. */
const noLanguages: ReadonlySet<string> = new Set(['', 'multi', 'auto']);

/**
 * The language into which what is said on a stream of any language is translated: the user's own, where one is set and the user does not speak
 * a single language only.
 * @returns null for no translations.
 */
export const targetOfUser = (
  user: Pick<UserSettingsRow, 'language' | 'single_language_mode'> | null,
): string | null => {
  const language = user?.language?.trim() ?? '';
  if (user === null || user.single_language_mode || noLanguages.has(language.toLowerCase())) return null;
  return language;
};

/** Reads the languages of users, and remembers them for a while. @param now the clock, ms. */
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
