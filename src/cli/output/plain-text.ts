import { stripVTControlCharacters } from 'node:util';

/**
 * Removes escape sequences from texts of the service. These texts come from recordings, other people and language
 * models. An escape sequence may change a terminal's title, clipboard, colours or earlier text.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change text direction. They can disguise one text as another. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes escape sequences and characters that change text direction. Replaces other control characters except line
 * feeds and tabs by U+FFFD.
 */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(direction, '').replace(control, '\u{fffd}');

/** Removes control characters like `plainText`, and joins the lines with blanks. */
export const plainLine = (text: string): string => plainText(text).replace(/\s*[\n\t\u2028\u2029]\s*/g, ' ');

/**
 * Returns a text on one line. Replaces control characters by U+FFFD, so escape sequences have no effect. The printable
 * characters of escape sequences stay, so that file names that differ only in a sequence remain distinct. An unfinished
 * sequence cannot hide the text after it.
 */
export const visibleLine = (text: string): string =>
  text
    .replace(direction, '')
    .replace(/[\n\t\u2028\u2029]/g, ' ')
    .replace(control, '\u{fffd}');

/** Shortens a line to at most `most` code points. */
export const shortened = (text: string, most: number): string => {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
};

/**
 * Returns JSON without characters that control a terminal. JSON itself escapes characters below U+0020. This function
 * also escapes all other control characters. JSON parsers restore the original text.
 */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
