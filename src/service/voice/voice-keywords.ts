import type { Sql } from '../../store/client/index.js';
import { readUserKeywords } from '../../store/records/index.js';
import { joinKeywords } from '../../wire/index.js';

/**
 * Returns the words that the speaker of a voice message may use: the words of the client, then the user's own words.
 * Words above the limits are left out, because too many words are no reason to refuse the audio.
 * @param given the client's words, separated by commas.
 */
export const voiceKeywords = async (
  sql: Sql,
  uid: string,
  given: string | undefined,
): Promise<readonly string[]> => joinKeywords((given ?? '').split(','), await readUserKeywords(sql, uid));
