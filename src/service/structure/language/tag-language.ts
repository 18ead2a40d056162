import { createRequire } from 'node:module';
import type { SaidTranscript } from './extractor.js';
import { isFiller, isFunctionWord, tokensOf } from './words.js';

/** ISO 639-1 codes of the detected languages, with the names of their lists in the package `stopword`. */
const lists: Readonly<Record<string, string>> = {
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  it: 'ita',
  pt: 'por',
  nl: 'nld',
  sv: 'swe',
  no: 'nob',
  da: 'dan',
  fi: 'fin',
  pl: 'pol',
  cs: 'ces',
  tr: 'tur',
  hu: 'hun',
  ro: 'ron',
  id: 'ind',
  vi: 'vie',
  ru: 'rus',
  uk: 'ukr',
  el: 'ell',
  ar: 'ara',
  fa: 'fas',
  he: 'heb',
  hi: 'hin',
  ko: 'kor',
};

/** Matches scripts that do not separate words with spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const unspacedLists: Readonly<Record<string, string>> = { ja: 'jpn', zh: 'zho', th: 'tha' };

/** A language, its stop words, and how to split its texts into words. */
export interface SpokenLanguage {
  /** ISO 639-1 code; `en` if no other language fits. */
  readonly code: string;
  /** Whether words are not separated by spaces. */
  readonly unspaced: boolean;
  readonly isStopWord: (word: string) => boolean;
}

type Lists = Readonly<Record<string, readonly string[]>>;
let loaded: Map<string, ReadonlySet<string>> | undefined;

/** Returns the stop words of the package `stopword`. Loads them with the first text, because loading takes some 50 ms. */
const stopWords = (): Map<string, ReadonlySet<string>> => {
  if (loaded === undefined) {
    const words = createRequire(import.meta.url)('stopword') as Lists;
    loaded = new Map(
      Object.entries({ ...lists, ...unspacedLists }).map(([code, name]) => [
        code,
        new Set(words[name] ?? []),
      ]),
    );
  }
  return loaded;
};

const english: SpokenLanguage = {
  code: 'en',
  unspaced: false,
  isStopWord: (word) => isFunctionWord(word) || isFiller(word),
};

const named = (code: string): SpokenLanguage => {
  const words = stopWords().get(code);
  if (words === undefined) return english;
  return { code, unspaced: code in unspacedLists, isStopWord: (word) => words.has(word) };
};

const mostTokens = 400;
/**
 * If the client named a language other than English, a text counts as English only with at least this share of English
 * function words.
 */
const leastEnglish = 0.2;
/** A language other than English is chosen only if its share of stop words exceeds the English share by this much. */
const margin = 0.08;
/** The margin for a short text, with fewer than `fewTokens` tokens, if the client named English as its language. */
const fewMargin = 0.3;
const fewTokens = 30;

/**
 * Detects the language of a text by its most frequent words, because clients often set the language only once. Returns English if no other
 * language fits better.
 * @param tag the language that the client named.
 */
export const spokenLanguage = (text: string, tag: string): SpokenLanguage => {
  const tokens = tokensOf(text.slice(0, 20_000)).slice(0, mostTokens);
  if (tokens.length === 0) return english;
  const wide = tokens.filter((token) => unspaced.test(token));
  if (wide.length > tokens.length / 2) {
    if (tokens.some((token) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(token))) return named('ja');
    return named(tokens.some((token) => /\p{Script=Thai}/u.test(token)) ? 'th' : 'zh');
  }
  const share = (isStopWord: (word: string) => boolean): number =>
    tokens.filter(isStopWord).length / tokens.length;
  const given = tag.slice(0, 2).toLowerCase();
  let best = { language: english, share: share(english.isStopWord) };
  // Skips the comparison for text with many English words, because it would load the stop word lists.
  if (best.share > 0.42 && (given === 'en' || given === 'mu')) return english;
  // In a short text one or two words may belong to another language by chance ("to Sue, no, on").
  const least =
    given === 'en' && tokens.length < fewTokens && best.share >= leastEnglish ? fewMargin : margin;
  for (const code of Object.keys(lists)) {
    const language = named(code);
    // The language that the client named has an advantage of half of `margin`.
    const found = share(language.isStopWord) + (code === given ? margin / 2 : 0);
    if (found > best.share + (best.language === english ? least : 0)) best = { language, share: found };
  }
  return best.language;
};

/** Maximum number of segments that are read to detect the language of a transcript. */
const sampled = 200;
/** Maximum characters of each of these segments that are read. */
const sampledCharacters = 500;

/** Detects the language of a transcript by its first segments. */
export const languageOf = ({
  segments,
  language,
}: Pick<SaidTranscript, 'segments' | 'language'>): SpokenLanguage => {
  const sample = segments
    .slice(0, sampled)
    .map(({ text }) => text.slice(0, sampledCharacters))
    .join('\n');
  return spokenLanguage(sample, language);
};

/**
 * Whether the English rules may run. A text counts as English if no other language fits better. If the client named
 * another language, a minimum share of the words must also be English.
 */
export const isEnglish = (transcript: Pick<SaidTranscript, 'segments' | 'language'>): boolean => {
  if (languageOf(transcript).code !== 'en') return false;
  const given = transcript.language.slice(0, 2).toLowerCase();
  if (given === 'en' || given === 'mu' || given === '') return true;
  const tokens = transcript.segments
    .slice(0, sampled)
    .flatMap(({ text }) => tokensOf(text.slice(0, sampledCharacters)))
    .slice(0, mostTokens);
  return tokens.filter(english.isStopWord).length >= leastEnglish * tokens.length;
};
