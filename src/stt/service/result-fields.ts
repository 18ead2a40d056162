import type { ResultMessage } from '../../wire/service/index.js';
import type { SpokenLanguages } from '../shared/index.js';

type LanguageFields = Pick<ResultMessage, 'language' | 'languages' | 'probabilities'>;

/** Smallest probability that is sent. */
const leastShare = 1e-6;

/** Values of the fields about words, for a result without words. */
export const noWords = {
  text: '',
  times: [],
  looped: false,
  language: '',
  languages: [],
  probabilities: [],
  model: '',
} as const satisfies Partial<ResultMessage>;

/** Returns the fields of a result message that describe the languages of speech. */
export const languageFields = ({ language = '', languages = new Map() }: SpokenLanguages): LanguageFields => {
  const shares = [...languages].filter(([, share]) => share >= leastShare);
  return {
    language,
    languages: shares.map(([code]) => code),
    probabilities: shares.map(([, share]) => share),
  };
};

/** Returns the languages of speech from the fields of a result message. */
export const languagesOfFields = ({
  language,
  languages,
  probabilities,
}: LanguageFields): SpokenLanguages => ({
  ...(language === '' ? {} : { language }),
  ...(languages.length === 0
    ? {}
    : { languages: new Map(languages.map((code, index) => [code, probabilities[index] ?? 0])) }),
});
