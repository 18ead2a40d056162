import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { readUserKeywords } from '../../store/records/index.js';
import { joinKeywords, keywordRefusal, readKeywordText } from '../../wire/index.js';

/**
 * Returns the words that the speaker of a voice message may use: the words of the client, then the user's own words.
 * @param given the client's words, separated by commas.
 * @throws CochleaError recording_invalid for too many or too long words.
 */
export const voiceKeywords = async (
  sql: Sql,
  uid: string,
  given: string | undefined,
): Promise<readonly string[]> => {
  const read = readKeywordText(given ?? '');
  if ('refusal' in read) {
    throw new CochleaError('recording_invalid', { why: `keywords has ${keywordRefusal(read)}` });
  }
  return joinKeywords(read.words, await readUserKeywords(sql, uid));
};
