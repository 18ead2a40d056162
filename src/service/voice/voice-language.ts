import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { readUserSettings } from '../../store/records/index.js';
import { baseLanguage } from '../../stt/providers/index.js';
import type { VoiceWork } from './voice-work.js';

const code = /^[a-z]{2,3}([-_][a-z0-9]{1,8})*$/i;

/**
 * Returns the language of a voice message: the language that the client names, else the user's. If the user chose no single language and
 * the provider can detect languages, returns `multi`.
 * @returns a base language code, or `multi` for any language.
 * @throws CochleaError recording_invalid for an invalid code, stt_provider_configuration_error for a language that no provider knows.
 */
export const voiceLanguage = async (
  sql: Sql,
  work: VoiceWork,
  uid: string,
  given: string | undefined,
): Promise<string> => {
  const named = (given ?? '').trim().toLowerCase();
  const language = named === '' ? await usualLanguage(sql, work, uid) : named === 'auto' ? 'multi' : named;
  if (language !== 'multi' && !code.test(language))
    throw new CochleaError('recording_invalid', { why: 'its language is not a language code' });
  const base = baseLanguage(language);
  if (!work.supports(base)) throw new CochleaError('stt_provider_configuration_error');
  return base;
};

const usualLanguage = async (sql: Sql, work: VoiceWork, uid: string): Promise<string> => {
  const user = await readUserSettings(sql, uid);
  if (work.supports('multi') && user?.single_language_mode !== true) return 'multi';
  return user?.language ?? 'en';
};
