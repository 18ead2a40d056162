import { automaticLanguage } from '../../wire/index.js';

/** Probability of each language of a model, by code. The sum is at most one. */
export type LanguageShares = ReadonlyMap<string, number>;

/** The language in which speech was decoded, and the languages that the model recognised in it. */
export interface SpokenLanguages {
  /** Code of the model's language in which the speech was decoded. Absent if unknown. */
  readonly language?: string | undefined;
  /**
   * Probability of each language. Absent if the model knows only one language. For less than 4 s of speech the most
   * probable language is often wrong.
   */
  readonly languages?: LanguageShares | undefined;
}

/**
 * Minimum length of speech (s) and minimum probability of its language. Below one of them, the language does not count
 * as detected.
 */
export const detection = { seconds: 4, probability: 0.8 } as const;

/** A part of some speech. `weight` is its length, in any unit. */
export interface WeightedLanguages extends SpokenLanguages {
  readonly weight: number;
}

/** Joins the languages of several parts of speech. The result has the language of the longest part. */
export const joinedLanguages = (parts: readonly WeightedLanguages[]): SpokenLanguages => {
  const named = parts.filter(({ language }) => language !== undefined);
  const known = parts.filter(({ languages }) => languages !== undefined);
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  const shares = new Map<string, number>();
  for (const { languages, weight } of known)
    for (const [code, share] of languages!)
      shares.set(code, (shares.get(code) ?? 0) + (share * weight) / total);
  const longest = named.reduce((most, part) => (part.weight > most.weight ? part : most), named[0]!);
  return {
    ...(longest === undefined ? {} : { language: longest.language! }),
    ...(shares.size === 0 ? {} : { languages: shares }),
  };
};

/**
 * Codes by which models know a language, where they differ from the canonical code. Norwegian Bokmål is Norwegian, and
 * Filipino is Tagalog.
 */
const otherCodes: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl' };

const canonical = (base: string): string => {
  try {
    return new Intl.Locale(base).language;
  } catch {
    return base;
  }
};

/**
 * Finds the language of a model for a base code in lower case, such as `no` for `nb`, `he` for `iw` and `de` for `deu`.
 * @returns the model's own code; undefined if the model does not know the language.
 */
export const modelLanguage = (base: string, languages: readonly string[]): string | undefined => {
  const usual = canonical(base);
  return [base, usual, otherCodes[usual] ?? usual].find((code) => languages.includes(code));
};

/**
 * Whether models can transcribe a language, given by its base code or `multi`. They can transcribe `multi`, which means
 * that they detect the language, if they know several languages.
 * @param languages all languages that the models know.
 */
export const knowsLanguage = (languages: readonly string[], language: string): boolean =>
  language === automaticLanguage ? languages.length > 1 : modelLanguage(language, languages) !== undefined;

/** Smallest probability of a language. It replaces 0, which has no logarithm. */
const leastShare = 1e-6;

/**
 * Scales the probabilities of some languages so that their sum is one.
 * @param candidates the languages; not empty.
 */
export const sharesAmong = (shares: LanguageShares, candidates: readonly string[]): LanguageShares => {
  const given = candidates.map((code) => [code, Math.max(leastShare, shares.get(code) ?? 0)] as const);
  const total = given.reduce((sum, [, share]) => sum + share, 0);
  return new Map(given.map(([code, share]) => [code, share / total]));
};

/** Returns the most probable language. Of equally probable languages, the first counts. @param shares not empty. */
export const likeliestOf = (shares: LanguageShares): readonly [code: string, share: number] =>
  [...shares].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
