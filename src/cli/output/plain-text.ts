import { stripVTControlCharacters } from 'node:util';

/**
 * Texts of the service come from recordings, other people and language models, so they may hold sequences with which a terminal is
 * controlled: its title, its clipboard, colours, text that was shown before. Nothing of that reaches a terminal.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that turn the direction of what follows, with which one text can be made to look like another. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text in which only line feeds and tabs are left of all control characters. */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(direction, '').replace(control, '\u{fffd}');

/** As `plainText`, on one line. */
export const plainLine = (text: string): string => plainText(text).replace(/\s*[\n\t\u2028\u2029]\s*/g, ' ');

/**
 * A text on one line, of which an escape sequence leaves what can be shown: names of files that differ in it can be told apart, and an
 * unfinished sequence hides nothing of the rest.
 */
export const visibleLine = (text: string): string =>
  text
    .replace(direction, '')
    .replace(/[\n\t\u2028\u2029]/g, ' ')
    .replace(control, '\u{fffd}');

/** Cuts a line to so many code points. */
export const shortened = (text: string, most: number): string => {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
};

/**
 * JSON in which no character controls a terminal. JSON escapes those below U+0020 itself; the others are written as escapes, which
 * any reader of JSON turns back into the same text.
 */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
