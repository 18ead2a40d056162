/** Latin, CJK, Arabic, Urdu and Devanagari punctuation that ends a sentence. */
const enders = '.?!。！？؟۔।॥';
const endsSentence = new RegExp(`[${enders}]$`);
/** CJK marks end a sentence anywhere. Other marks end it only before white space, so that "3.5" is not split. */
const boundary = new RegExp(`(?<=[。！？])(?![${enders}\\s]|$)|(?<=[${enders}])\\s+(?=\\S)`);
const firstLetter = /\p{Alphabetic}/u;
const lowercase = /^\p{Lowercase}/u;

/** Whether a text ends with a sentence ender. */
export const hasSentenceEnd = (text: string): boolean => endsSentence.test(text);

/** Splits a text into sentences. Each is trimmed and includes its ender. Returns an empty list for a blank text. */
export const splitSentences = (text: string): string[] => {
  const trimmed = text.trim();
  return trimmed === '' ? [] : trimmed.split(boundary);
};

/** Whether a sentence is complete: it ends with an ender, and its first letter, if any, is not lower case. */
export const isCompleteSentence = (sentence: string): boolean => {
  if (!hasSentenceEnd(sentence)) return false;
  const letter = firstLetter.exec(sentence)?.[0];
  return letter === undefined || !lowercase.test(letter);
};

/** Whether a text begins with a lower-case letter. */
export const startsLowercase = (text: string): boolean => lowercase.test(text);

/**
 * Matches text that `normaliseText` must change, after trimming. Few texts match, and this test is cheaper than
 * replacing.
 */
const unusualSpace = /[^\S ]| [ ,.?]/;

/** Trims a text, replaces runs of white space with one space, and removes spaces before punctuation. */
export const normaliseText = (text: string): string => {
  const trimmed = text.trim();
  return unusualSpace.test(trimmed) ? trimmed.replace(/\s+/g, ' ').replace(/ ([,.?])/g, '$1') : trimmed;
};
