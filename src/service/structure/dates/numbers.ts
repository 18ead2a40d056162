import { spokenNumber } from '../language/index.js';

const digit = 'one|two|three|four|five|six|seven|eight|nine';
const teen = 'thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';
const units = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const teens =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
/** Ordinals of the days of a month, from the first on. */
const ranks = [
  ...units,
  ...teens,
  'twentieth',
  ...units.map((unit) => `twenty ${unit}`),
  'thirtieth',
  'thirty first',
];

/** Regular expression source of an hour of a clock, in words. */
export const hourWord = `(?:${digit}|ten|eleven|twelve)`;
/** Regular expression source of a whole number below 100 in words. */
export const numberWord = `(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:${digit}))?|ten|eleven|twelve|${teen}|zero|${digit})`;
/** Regular expression source of the minutes of a clock time, in words. */
export const minuteWord = `(?:(?:oh|o|zero) (?:${digit})|(?:twenty|thirty|forty|fifty)(?:[ -](?:${digit}))?|ten|eleven|twelve|${teen})`;
/**
 * Regular expression source of an ordinal day of the month, in words or digits. Longer ordinals come first, because
 * they may contain shorter ones.
 */
export const ordinal = `(?:${ranks.toReversed().join('|').replaceAll(' ', '[ -]')}|(?:[12]?\\d|3[01])(?:st|nd|rd|th))`;

/** Returns the value of a number in words or digits; NaN if the word is not a number. */
export const numberOf = (word: string): number => spokenNumber(word.split(' '))?.value ?? Number.NaN;

/** Returns the day of the month that an ordinal names. */
export const rankOf = (word: string): number =>
  ranks.indexOf(word.toLowerCase().replaceAll('-', ' ')) + 1 || Number.parseInt(word, 10);
