/** Whether a text is in the target language, in another language, or too short or too mixed to decide. */
export type Judged = 'target' | 'other' | 'unknown';

/** The result of language detection for a text. */
export interface Detection {
  /** ISO 639-1 code of the detected language; empty if none was detected. */
  readonly language: string;
  readonly reliable: boolean;
  /** Score of each language, 0 to 1. */
  readonly scores: Readonly<Record<string, number>>;
}

export type Detect = (text: string) => Detection;

/** Minimum number of letters for a decision. A character of Chinese, Japanese or Korean counts as three letters. */
const fewestLetters = 12;
const lettersOfSyllable = 3;
/**
 * A language other than the target language is chosen only if its score exceeds the target's score by this much. A
 * smaller margin would confuse related languages.
 */
const margin = 0.05;

const letter = /\p{Alphabetic}/gu;
const syllable = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

const lettersIn = (text: string): number =>
  (text.match(letter)?.length ?? 0) + (lettersOfSyllable - 1) * (text.match(syllable)?.length ?? 0);

/** Returns the base of a language code, such as `pt` for `pt-BR`. Detectors use base codes. */
export const baseOf = (language: string): string => language.split(/[-_]/, 1)[0]!.toLowerCase();

/** Decides about the language of a text. @param target the language of the user, such as `en` or `pt-BR`. */
export const judgeLanguage = (text: string, target: string, detect: Detect): Judged => {
  if (lettersIn(text) < fewestLetters) return 'unknown';
  const { language, reliable, scores } = detect(text);
  if (!reliable || language === '') return 'unknown';
  const wanted = baseOf(target);
  if (language === wanted) return 'target';
  return (scores[language] ?? 0) - (scores[wanted] ?? 0) >= margin ? 'other' : 'unknown';
};
