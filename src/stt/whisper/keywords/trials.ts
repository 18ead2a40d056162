import { fixedLimits } from '../../../config/limits/index.js';
import { nearWords, waysToWrite } from './near-words.js';
import { isOtherForm } from './other-forms.js';
import { textWords } from './text-words.js';
import type { TokenEncoder } from './token-encoder.js';

/** A decoded text. */
export interface TokenText {
  readonly ids: readonly number[];
  /** The text of each token. */
  readonly tokens: readonly string[];
  /** Log probability of each token, and of the end of the text if the model found it. */
  readonly likelihoods: readonly number[];
}

/** A keyword in place of some tokens of a text. */
export interface Trial {
  /** `from`: index of the first replaced token. `to`: index behind the last replaced token. */
  readonly from: number;
  readonly to: number;
  readonly replacement: readonly number[];
  /** The replacement and some tokens after it. Their log probability tells whether the audio contains the keyword. */
  readonly judged: readonly number[];
  /** Minimum sum of the log probabilities of the judged tokens. With a smaller sum, the keyword is not accepted. */
  readonly least: number;
}

/**
 * Maximum number of tokens of a keyword. Symbols have no sound but several tokens each, so a keyword of symbols could
 * cost more than the decode of the utterance.
 */
const mostTokens = fixedLimits.keywordLength.value;
/** Number of tokens after a keyword that are judged, too. A wrong word makes them improbable. */
const following = 4;
/**
 * Least change of the log probability with which a keyword is accepted. A model finds rare words less probable than they
 * are, so a keyword may be less probable than the words that it replaces. The audio cannot distinguish words of the
 * same sound, so `same` is lowest: the custom word is preferred. Forms of the same word need better evidence
 * (`strict`), because they sound alike and both make sense. Better evidence is also needed to replace words that the
 * model is sure of.
 */
const leastChange = { same: -8, usual: -6, strict: -3.5 } as const;
/** The model is sure of words if each of their tokens has at least this log probability. */
const sure = -0.5;

/**
 * Returns the trials of a text: at most two for each near word.
 * @param end token that ends a text.
 */
export const trialsOf = (
  { ids, tokens, likelihoods }: TokenText,
  keywords: readonly string[],
  encoder: TokenEncoder,
  end: number,
): Trial[] => {
  const all = likelihoods.length > ids.length ? [...ids, end] : ids;
  return nearWords(textWords(tokens), keywords).flatMap(({ keyword, words, distance }) => {
    const { from, spaced } = words[0]!;
    const { to } = words.at(-1)!;
    const before = likelihoods.slice(from, to + following).reduce((sum, one) => sum + one, 0);
    const isSure = likelihoods.slice(from, to).every((one) => one >= sure);
    const isOther = words.some(({ text }) => isOtherForm(text, keyword));
    const kind = distance === 0 ? 'same' : isSure || isOther ? 'strict' : 'usual';
    const least = before + leastChange[kind];
    return waysToWrite(keyword).flatMap((way) => {
      const replacement = encoder.encode(spaced ? ` ${way}` : way);
      if (replacement === undefined || replacement.length > mostTokens) return [];
      return [{ from, to, replacement, judged: [...replacement, ...all.slice(to, to + following)], least }];
    });
  });
};

/**
 * Returns the trials that the audio supports. They do not overlap, and are in the order of the text.
 * @param judgements log probabilities of the judged tokens of each trial.
 */
export const accepted = (trials: readonly Trial[], judgements: readonly ArrayLike<number>[]): Trial[] => {
  const judged = trials
    .map((trial, index) => ({
      trial,
      gain: Array.from(judgements[index]!).reduce((sum, one) => sum + one, 0) - trial.least,
    }))
    .filter(({ gain }) => gain >= 0)
    .sort((a, b) => b.gain - a.gain);
  const kept: Trial[] = [];
  for (const { trial } of judged)
    if (kept.every(({ from, to }) => trial.to <= from || to <= trial.from)) kept.push(trial);
  return kept.sort((a, b) => a.from - b.from);
};
