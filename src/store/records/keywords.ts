import { joinKeywords, keywordBounds } from '../../wire/index.js';
import type { Sql } from '../client/index.js';

/**
 * Reads the words that a user's speech may contain: the custom words of the settings, then the names of the user's
 * people. The person added last comes first. Returns an empty list if the user does not exist.
 */
export const readUserKeywords = async (sql: Sql, uid: string): Promise<readonly string[]> =>
  (await readUsersKeywords(sql, [uid]))[0]!;

/** Reads the words of each user, as `readUserKeywords` does for one user. */
export const readUsersKeywords = async (
  sql: Sql,
  uids: readonly string[],
): Promise<readonly (readonly string[])[]> => {
  const rows = await sql<{ uid: string; custom_words: string[]; names: string[] }[]>`
    select uid, custom_words, array(
      select name from people where people.uid = users.uid
      order by created_at desc, id desc limit ${keywordBounds.words}
    ) as names
    from users where uid in ${sql(uids as string[])}`;
  const byUser = new Map(
    rows.map(({ uid, custom_words, names }) => [uid, joinKeywords(custom_words, names)]),
  );
  return uids.map((uid) => byUser.get(uid) ?? []);
};
