/** Maximum number of characters of a bracketed text that is removed. Longer text in brackets counts as speech. */
const longest = 40;

/** Pattern of a number in parentheses: digits, signs and spaces, with at least one digit. */
const number = `(?=[^)]{0,${longest}}\\p{N})[\\p{N}\\p{Sc}\\s.,+-]{1,${longest}}`;

const annotations = [
  new RegExp(`\\[[^\\]]{0,${longest}}\\]`, 'gu'),
  // Matches text in parentheses, except numbers. Digits in parentheses are part of a number, such as an area code or an
  // amount.
  new RegExp(`\\((?!${number}\\))[^)]{0,${longest}}\\)`, 'gu'),
  new RegExp(`<\\|.{0,${longest}}?\\|>`, 'gu'),
  new RegExp(`\\*[^*]{0,${longest}}\\*`, 'gu'),
  /[♩♪♫♬♭♮♯]/gu,
  new RegExp(`[[(][^\\])]{0,${longest}}$`, 'u'),
];

const once = (text: string): string =>
  annotations
    .reduce((left, annotation) => left.replace(annotation, ' '), text)
    .replace(/\s+/gu, ' ')
    .trim();

/**
 * Removes annotations that a speech model adds: `[music]`, `(coughs)`, `*sighs*`, `<|nospeech|>`, an unclosed
 * bracket at the end, and musical notes. It also collapses spaces. Numbers, dates and amounts stay as the model wrote
 * them.
 * @returns text with at least one letter or digit, or the empty string. Applying the function again changes
 * nothing.
 */
export const cleanTranscript = (text: string): string => {
  let cleaned = once(text);
  for (let next = once(cleaned); next !== cleaned; next = once(cleaned)) cleaned = next;
  return /[\p{L}\p{N}]/u.test(cleaned) ? cleaned : '';
};
