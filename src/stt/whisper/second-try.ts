/**
 * Detects and repairs texts that did not end. A Whisper model may not find the end of speech. It then repeats itself,
 * or writes on until it reaches its token limit. With more silence after the audio, the model mostly finds the end. The
 * recogniser already adds some silence to all audio.
 */

/** Maximum mean number of occurrences of a token. A text with more counts as a loop. */
const mostOccurrences = 3;
/** From this number of consecutive copies of a phrase on, the text counts as a loop. */
const fewestCopies = 3;
/**
 * Minimum length in words of a phrase that counts as a loop after `fewestCopies` copies. People repeat shorter phrases.
 */
const shortestPhrase = 5;
/** Mean number of characters in a word, for scripts without spaces. */
const charactersPerWord = 3;
/**
 * Number of copies from which a phrase of any length counts as a loop. The same number applies to repeated letters at
 * the end of the last word.
 */
const manyCopies = 10;

/** Length in seconds of the silence that is appended for the second attempt. */
export const secondTryPadding = 5;

/** Result of a decode: its tokens in order, and whether it reached the token limit. */
export interface Decode {
  readonly tokens: readonly string[];
  readonly cutOff: boolean;
}

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** A part of a text that is compared with other parts. */
interface Unit {
  /** The letters and digits of the unit, in lower case. */
  readonly plain: string;
  /** Index of the first character behind the unit in its text. */
  readonly end: number;
  readonly words: number;
}

/**
 * Matches a letter or digit of a script that is written without spaces. Punctuation is excluded, because other scripts
 * use it, too.
 */
const unspaced =
  '(?=[\\p{L}\\p{N}])[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}]';
/**
 * Matches one character of a script that is written without spaces, with the marks and punctuation behind it. For other
 * scripts, matches a sequence of characters up to a space.
 */
const written = new RegExp(`${unspaced}[\\p{M}\\p{P}]*|(?:(?!${unspaced})\\S)+`, 'gu');
const isUnspaced = new RegExp(`^${unspaced}`, 'u');
/**
 * Matches a part of a word between hyphens or other punctuation. The punctuation around a part belongs to that part.
 */
const joined = /[^\p{L}\p{M}]*[\p{L}\p{M}'’]+[^\p{L}\p{M}]*/gu;
const letter = /\p{L}\p{M}*/gu;

/**
 * Returns the units of a text: words, parts of words that are joined by hyphens, and single characters of scripts
 * that are written without spaces. Punctuation between spaces is no unit.
 */
const unitsOf = (text: string): Unit[] => {
  const units = [...text.matchAll(written)].flatMap(({ 0: found, index }) => {
    if (isUnspaced.test(found))
      return [{ plain: plain(found), end: index + found.length, words: 1 / charactersPerWord }];
    // Does not split numbers, because numbers that are read out are written with hyphens, too.
    const parts = (/\p{N}/u.test(found) ? undefined : found.match(joined)) ?? [found];
    let end = index;
    return parts.map((part) => {
      end += part.length;
      return { plain: plain(part), end, words: 1 / parts.length };
    });
  });
  return units.filter((one) => one.plain !== '');
};

/** Returns the letters of the last unit of a text. A unit with digits has none. */
const lettersAtEnd = (text: string, units: readonly Unit[]): Unit[] => {
  const from = units.at(-2)?.end ?? 0;
  const last = text.slice(from, units.at(-1)?.end ?? 0);
  if (/\p{N}/u.test(last)) return [];
  return [...last.matchAll(letter)].map(({ 0: found, index }) => ({
    plain: plain(found),
    end: from + index + found.length,
    words: 0,
  }));
};

/** Whether a text ends with the words of another text. Case and punctuation are ignored. */
export const endsWithWords = (text: string, end: string): boolean => {
  const last = unitsOf(end);
  const compared = (units: readonly Unit[]): string => units.map((one) => one.plain).join(' ');
  return compared(unitsOf(text).slice(-last.length)) === compared(last);
};

/** Number of copies from which a phrase counts as a loop, and the minimum length of such a phrase in words. */
interface Repetition {
  readonly copies: number;
  readonly shortest: number;
}

/**
 * Returns the number of units up to the loop at the end, including the first copy of its phrase. Without a loop,
 * returns the number of all units. The last copy may be incomplete. Case and punctuation are ignored.
 */
const unitsBeforeLoop = (units: readonly Unit[], { copies, shortest }: Repetition): number => {
  let kept = units.length;
  for (let period = 1; period <= units.length / copies; period++) {
    let same = 0;
    let at = units.length - 1 - period;
    while (at >= 0 && units[at]!.plain === units[at + period]!.plain) {
      same++;
      at--;
    }
    const phrase = units.slice(-period).reduce((sum, { words }) => sum + words, 0);
    if (same >= (copies - 1) * period && phrase >= shortest) kept = Math.min(kept, units.length - same);
  }
  return kept;
};

const isLoop = (units: readonly Unit[], repetition: Repetition): boolean =>
  unitsBeforeLoop(units, repetition) < units.length;

/**
 * Removes the loop at the end of a text, except the first copy of its phrase. Without a loop, the text is returned
 * unchanged.
 */
const cut = (text: string, units: readonly Unit[], repetition: Repetition): string => {
  const kept = unitsBeforeLoop(units, repetition);
  return kept === units.length ? text : text.slice(0, units[kept - 1]!.end).replace(/[\s\p{Pd}]+$/u, '');
};

/** Whether the text reached the token limit or repeats itself, in any language. */
export const ranOn = ({ tokens, cutOff }: Decode): boolean => {
  // The first tokens of a character that consists of several are empty.
  const filled = tokens.filter((token) => token !== '');
  if (cutOff || filled.length > mostOccurrences * new Set(filled).size) return true;
  const text = filled.join('');
  const units = unitsOf(text);
  return (
    isLoop(units, { copies: fewestCopies, shortest: shortestPhrase }) ||
    isLoop(units, { copies: manyCopies, shortest: 0 }) ||
    isLoop(lettersAtEnd(text, units), { copies: manyCopies, shortest: 0 })
  );
};

/** Number of copies from which a few repeated letters count as a repetition. */
const fewestLetterCopies = 4;

/**
 * Whether a text consists only of copies of one word. A single word counts, too, if it ends in at least four copies of
 * a few letters. A single word with digits does not count.
 */
export const isRepetition = (text: string): boolean => {
  const units = unitsOf(text);
  if (units.length === 1)
    return isLoop(lettersAtEnd(text, units), { copies: fewestLetterCopies, shortest: 0 });
  let words = 0;
  for (let period = 1; period <= units.length / 2; period++) {
    words += units[period - 1]!.words;
    if (words >= 2) return false;
    if (units.every((one, index) => one.plain === units[index % period]!.plain)) return true;
  }
  return false;
};

/**
 * Removes repetitions at the end of a text. Words, or their parts between hyphens, must occur in at least three copies.
 * Letters at the end of a word must occur in at least ten. The first copy stays. The last copy may be incomplete. Case
 * and punctuation are ignored. Other texts are returned unchanged.
 */
export const withoutLoop = (text: string): string => {
  const once = cut(text, unitsOf(text), { copies: fewestCopies, shortest: 0 });
  return cut(once, lettersAtEnd(once, unitsOf(once)), { copies: manyCopies, shortest: 0 });
};
