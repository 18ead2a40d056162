import { joinKeywords, keywordBounds } from '../../wire/index.js';
import { firstRow, type Sql } from '../client/index.js';

/**
 * Reads the words that a user's speech may contain: the custom words of the settings, then the names of the user's
 * people. The person added last comes first. Returns an empty list if the user does not exist.
 */
export const readUserKeywords = async (sql: Sql, uid: string): Promise<readonly string[]> => {
  const row = await firstRow(sql<{ custom_words: string[]; names: string[] }[]>`
    select custom_words, array(
      select name from people where uid = ${uid} order by created_at desc, id desc limit ${keywordBounds.words}
    ) as names
    from users where uid = ${uid}`);
  return row === null ? [] : joinKeywords(row.custom_words, row.names);
};
