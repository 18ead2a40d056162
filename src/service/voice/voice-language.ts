import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { readUserSettings, type UserSettingsRow } from '../../store/records/index.js';
import { baseLanguage } from '../../stt/providers/index.js';
import { automaticLanguage, storedLanguage } from '../../wire/index.js';
import type { VoiceWork } from './voice-work.js';

const code = /^[a-z]{2,3}([-_][a-z0-9]{1,8})*$/i;

/** Language of a voice message. */
export interface VoiceLanguage {
  /** Base language code, or `multi` for any of `languages`. */
  readonly language: string;
  /** The languages to choose from when the language is detected. The first is the most probable one. */
  readonly languages: readonly string[];
}

/**
 * Returns the language of a voice message: the language that the client names, else the user's language. If the client
 * names no language, the user has not chosen a single language, and the provider can detect languages, the language is
 * detected among the user's languages.
 * @throws CochleaError recording_invalid for an invalid code, stt_provider_configuration_error for a language that no
 * provider knows.
 */
export const voiceLanguage = async (
  sql: Sql,
  work: VoiceWork,
  uid: string,
  given: string | undefined,
): Promise<VoiceLanguage> => {
  const named = (given ?? '').trim().toLowerCase();
  const user =
    named === '' || storedLanguage(named) === automaticLanguage ? await readUserSettings(sql, uid) : null;
  const asked = named === '' ? usualLanguage(work, user) : storedLanguage(named);
  if (asked !== automaticLanguage && !code.test(asked))
    throw new CochleaError('recording_invalid', { why: 'its language is not a language code' });
  const language = baseLanguage(asked);
  if (!work.supports(language)) throw new CochleaError('stt_provider_configuration_error');
  return { language, languages: language === automaticLanguage ? work.speakerLanguages(user) : [] };
};

const usualLanguage = (work: VoiceWork, user: UserSettingsRow | null): string => {
  if (work.supports(automaticLanguage) && user?.single_language_mode !== true) return automaticLanguage;
  return user?.language ?? 'en';
};

/** Sums the length of the speech in each language that was detected in a message. */
export class DetectedLanguages {
  readonly #samples = new Map<string, number>();

  /** Adds an utterance. @param language undefined if it was not detected. */
  add(language: string | undefined, samples: number): void {
    if (language !== undefined) this.#samples.set(language, (this.#samples.get(language) ?? 0) + samples);
  }

  /** Code of the language of most of the speech; null if none was detected. */
  get most(): string | null {
    const [longest] = [...this.#samples].sort(([, one], [, other]) => other - one);
    return longest?.[0] ?? null;
  }
}
