import type { Settings } from '../../config/index.js';
import { modelLanguage } from '../shared/index.js';
import { baseLanguage } from './select-provider.js';

/** Languages in the settings of a user. */
export interface UserLanguages {
  /** Codes of the languages that the user speaks, the usual one first. */
  readonly languages: readonly string[];
  /** Code of the user's own language; null if it is not set. */
  readonly language: string | null;
}

/**
 * Returns the languages that a user may speak with `language=multi`: base codes of the models, the most probable one
 * first. The argument null stands for a user without settings. The result is empty if no model is on this machine.
 */
export type SpeakerLanguages = (user: UserLanguages | null) => readonly string[];

/** The language that comes first if neither the user nor the deployment names one. */
const usualLanguage = 'en';

/**
 * Returns a function that computes the languages that a user may speak. It uses only languages that a model of this
 * machine knows. It first uses the languages in the user's settings. If no model knows any of them, it uses the user's
 * own language and then `STT_LANGUAGES`. If no model knows any of `STT_LANGUAGES`, English and then all languages of
 * the models replace `STT_LANGUAGES`.
 * @param models the speech models of this machine.
 */
export const speakerLanguages =
  (
    { sttLanguages }: Pick<Settings, 'sttLanguages'>,
    models: { languages(): readonly string[] },
  ): SpeakerLanguages =>
  (user) => {
    const all = models.languages();
    const known = (codes: readonly string[]): readonly string[] => [
      ...new Set(
        codes.flatMap((code) => (code === '' ? [] : (modelLanguage(baseLanguage(code), all) ?? []))),
      ),
    ];
    const own = known(user?.languages ?? []);
    if (own.length > 0) return own;
    const deployment = known(sttLanguages);
    return known([user?.language ?? '', ...(deployment.length > 0 ? deployment : [usualLanguage, ...all])]);
  };
