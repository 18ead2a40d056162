/**
 * Detects and repairs texts that did not end. A Whisper model may not find the end of speech. It then repeats
 * itself, or writes on until it reaches its token limit. More silence after the audio mostly makes it end. The
 * recogniser itself already adds some silence.
 */

/** Maximum mean number of occurrences of a token. A text with more counts as a loop. */
const mostOccurrences = 3;
/** Number of consecutive copies of a phrase from which the text counts as a loop. */
const fewestCopies = 3;
/**
 * Minimum length in words of a phrase that counts as a loop by its copies alone. People repeat shorter ones. Scripts
 * without spaces have about `charactersPerWord` characters in a word.
 */
const shortestPhrase = 5;
const charactersPerWord = 3;

/** Length in seconds of the silence that is appended for the second attempt. */
export const secondTryPadding = 5;

/** Result of a decode: its tokens in order, and whether it reached the token limit. */
export interface Decode {
  readonly tokens: readonly string[];
  readonly cutOff: boolean;
}

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** A word, or a character of a script that is written without spaces. */
interface Unit {
  /** The letters and digits in lower case. */
  readonly plain: string;
  /** Index behind the unit in its text. */
  readonly end: number;
  readonly words: number;
}

const unspaced =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}';
/** The marks and the punctuation behind a character belong to it. */
const unit = new RegExp(`[${unspaced}][\\p{M}\\p{P}]*|[^\\s${unspaced}]+`, 'gu');
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');

const unitsOf = (text: string): Unit[] =>
  [...text.matchAll(unit)].map(({ 0: found, index }) => ({
    plain: plain(found),
    end: index + found.length,
    words: isUnspaced.test(found) ? 1 / charactersPerWord : 1,
  }));

/** Whether a text ends with the words of another text. Case and punctuation are ignored. */
export const endsWithWords = (text: string, end: string): boolean => {
  const last = unitsOf(end);
  const compared = (units: readonly Unit[]): string => units.map((one) => one.plain).join(' ');
  return compared(unitsOf(text).slice(-last.length)) === compared(last);
};

/**
 * Returns the number of units without the copies of a phrase at the end, if there are at least three copies. The first
 * copy counts. The last copy may be incomplete. Case and punctuation are ignored.
 * @param shortest length of the phrase in words.
 */
const unitsBeforeLoop = (units: readonly Unit[], shortest: number): number => {
  let kept = units.length;
  for (let period = 1; period <= units.length / fewestCopies; period++) {
    let same = 0;
    let at = units.length - 1 - period;
    while (at >= 0 && units[at]!.plain === units[at + period]!.plain) {
      same++;
      at--;
    }
    const phrase = units.slice(-period).reduce((sum, { words }) => sum + words, 0);
    if (same >= (fewestCopies - 1) * period && phrase >= shortest) kept = Math.min(kept, units.length - same);
  }
  return kept;
};

/** Whether the text reached the token limit or repeats itself, in any language. */
export const ranOn = ({ tokens, cutOff }: Decode): boolean => {
  // The first tokens of a character that consists of several are empty.
  const written = tokens.filter((token) => token !== '');
  if (cutOff || written.length > mostOccurrences * new Set(written).size) return true;
  const units = unitsOf(written.join(''));
  return unitsBeforeLoop(units, shortestPhrase) < units.length;
};

/**
 * Removes repetitions of a phrase at the end of a text if there are at least three copies. The first copy stays.
 * The last copy may be incomplete. Case and punctuation are ignored. Other texts are returned unchanged.
 */
export const withoutLoop = (text: string): string => {
  const units = unitsOf(text);
  const kept = unitsBeforeLoop(units, 0);
  return kept === units.length ? text : text.slice(0, units[kept - 1]!.end).trim();
};
