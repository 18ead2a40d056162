import { durationsIn, type Mention, mentionsIn, numberWord } from '../dates/index.js';
import { isAct } from './verbs.js';

/** A dummy moment. Corrections are found by the words of dates, not by the moments that these words mean. */
export const nowhere = { at: 0, timeZone: 'UTC' };

const kindOf = ({ date, moment, time, part }: Mention): string =>
  moment !== null ? 'day' : date !== null ? 'day' : time !== null ? 'time' : part !== null ? 'time' : 'none';

const bareNumber = new RegExp(
  `^(?:${numberWord}|\\d{1,3})(?=[,.;!?]|$| (?:to|about|please|and|with|for)\\b)`,
  'i',
);

const prepositions = /\b(?:on|at|by|before|until|till|from|around|after|in|for) (?:the )?$/i;
export const withPreposition = (text: string, index: number): number => {
  const match = prepositions.exec(text.slice(0, index));
  return match ? match.index : index;
};

const article = /^(?:the|a|an|my|our|your|his|her|their|some|that|this|those|these)$/i;
const small =
  /^(?:to|at|on|in|by|for|with|from|of|about|and|or|but|because|tomorrow|today|tonight|before|after|until|when|if|so|please|next|this)$/i;

/** Returns the words of the first noun phrase of a text. */
const firstPhrase = (text: string): string => {
  const words = text.split(' ');
  let length = 0;
  while (length < words.length && length < 5 && !(small.test(words[length]!) && length > 0)) {
    length++;
    if (/[,.;!?]$/.test(words[length - 1]!)) break;
  }
  return words.slice(0, length).join(' ');
};
/**
 * Finds a noun phrase by its last word, which is at the index `end`.
 * @returns the index of the phrase's article, which is its first word; null if there is no such phrase.
 */
const nounPhraseFrom = (words: readonly string[], end: number): number | null => {
  for (let from = end - 1; from >= Math.max(1, end - 4); from--) {
    const word = words[from]!;
    if (article.test(word)) return from;
    if (small.test(word) || /[,.;!?]$/.test(word)) return null;
  }
  return null;
};
const bareWord = (word: string): string => word.toLowerCase().replace(/[,.;!?]+$/, '');

/**
 * Returns an earlier phrase that has the same head noun as the correction: "the red folder to Ann, I mean, the blue
 * folder". Returns null if there is no such phrase.
 */
const sameHead = (text: string, phrase: string): { index: number; text: string } | null => {
  const said = phrase.split(' ');
  const noun = bareWord(said.at(-1)!);
  if (said.length < 2 || noun.length < 3) return null;
  const words = text.split(' ');
  const end = words.map(bareWord).lastIndexOf(noun);
  if (end < 1) return null;
  const from = nounPhraseFrom(words, end) ?? (article.test(said[0]!) ? end : end - said.length + 1);
  if (from < 1 || (from < end && isAct(words[from]!) && !article.test(words[from - 1]!) && end - from > 1))
    return null;
  const index = words.slice(0, from).join(' ').length + 1;
  return { index, text: words.slice(from, end + 1).join(' ') };
};

const lastPhrase = (text: string, size: number, whole: boolean): { index: number; text: string } => {
  const words = text.split(' ');
  // "The water heater, sorry, the gas meter": the phrase begins at the last article. A verb after an article counts as
  // a noun.
  const first = whole ? nounPhraseFrom(words, words.length - 1) : null;
  if (first !== null) {
    const found = words.slice(first).join(' ');
    return { index: text.length - found.length, text: found };
  }
  let from = words.length - 1;
  // Replaces as many words as the correction has, and the article before them.
  while (from > 0 && words.length - from < size && !small.test(words[from - 1]!) && !isAct(words[from - 1]!))
    from--;
  if (from > 0 && article.test(words[from - 1]!)) from--;
  const found = words.slice(from).join(' ');
  return { index: text.length - found.length, text: found };
};

/**
 * Returns the last phrase that begins with the same preposition as the correction: "talk to Sue, no, to Sam". Returns
 * null if there is no such phrase.
 */
const lastPrepositional = (head: string, phrase: string): { index: number; text: string } | null => {
  const preposition = /^(?:to|for|with|from|at|in|on|about|of|by) /i.exec(phrase)?.[0];
  if (preposition === undefined) return null;
  const index = head.toLowerCase().lastIndexOf(` ${preposition.toLowerCase()}`) + 1;
  return index > 0 ? { index, text: head.slice(index) } : null;
};

const phraseAgain = /^(?:i|we|remind me|don't forget|please|let's|can you|could you)\b/i;
const leadingPhrase = /\b(?:to|must|should|gotta|better|'ll|will|please|you|forget|let me|let's) $/i;

/** A correction: the text before the correcting words, the text after them, and the dates of each text. */
interface Correction {
  readonly before: string;
  readonly after: string;
  readonly earlier: readonly Mention[];
  readonly later: readonly Mention[];
}

/**
 * Corrects only a duration: "in one hour, no, two hours", "in ten minutes, no, twenty". Returns null for a correction
 * of another kind.
 */
const correctedDuration = ({ before, after, earlier }: Correction): string | null => {
  const wrong = durationsIn(before).at(-1);
  if (!wrong || earlier.some(({ index }) => index > wrong.index)) return null;
  const [right] = durationsIn(after);
  const said = before.slice(wrong.index, wrong.end);
  const leading = /^(?:in|within|after) /i.exec(said)?.[0] ?? '';
  if (right?.index === 0) {
    const words = after.slice(0, right.end);
    const own = /^(?:in|within|after) /i.test(words);
    const rest = before.slice(wrong.end).replace(/[\s,]+$/, '');
    return `${before.slice(0, wrong.index)}${own ? '' : leading}${words}${rest}${after.slice(right.end)}`;
  }
  const count = bareNumber.exec(after);
  if (!count) return null;
  const unit = / \S+$/.exec(said)?.[0] ?? '';
  const rest = before.slice(wrong.end).replace(/[\s,]+$/, '');
  return `${before.slice(0, wrong.index)}${leading}${count[0]}${unit}${rest}${after.slice(count[0].length)}`;
};

/**
 * Returns the date that the speaker replaces. The returned date is one of `earlier`, the dates before words such as
 * "no". `first` is the new date, which comes first after these words.
 */
const replacedDate = (earlier: readonly Mention[], first: Mention): Mention | undefined => {
  const same = earlier.filter((mention) => kindOf(mention) === kindOf(first)).at(-1);
  if (same !== undefined) return same;
  // "Tuesday at three, no, four" corrects only the time. "At five, no, in two hours" corrects the complete moment.
  if (first.moment !== null) return earlier.at(-1);
  if (kindOf(first) !== 'time') return undefined;
  return earlier.filter(({ time, moment }) => time !== null || moment !== null).at(-1);
};

/**
 * Replaces the last day or time before the correction: "on Tuesday, no, Thursday". Returns null if there is no such day
 * or time.
 */
const correctedDate = ({ before, after, earlier, later }: Correction): string | null => {
  const first = later[0]!;
  const wrong = replacedDate(earlier, first);
  if (wrong === undefined) return null;
  const own = withPreposition(after, first.index) < first.index;
  const partly = kindOf(first) === 'time' && wrong.date !== null && wrong.time !== null;
  const dayOnly = kindOf(first) === 'day' && first.time === null && first.moment === null;
  // If a clock time replaces only the time of a mention, the day of the mention stays.
  const wrongAt = partly ? wrong.time!.index : wrong.index;
  const keepsTime = dayOnly && wrong.time !== null && wrong.date !== null && wrong.time.index > wrong.index;
  const wrongEnd = partly
    ? wrong.time!.end
    : keepsTime
      ? withPreposition(before, wrong.time!.index)
      : wrong.end;
  const from = own ? withPreposition(before, wrongAt) : wrongAt;
  const said = after.slice(own ? 0 : first.index, first.end);
  const behindWrong = before.slice(wrongEnd);
  const gap = behindWrong === '' || /^[\s,.;]/.test(behindWrong) ? '' : ' ';
  return `${before.slice(0, from)}${said}${gap}${behindWrong.replace(/[\s,]+$/, '')}${after.slice(first.end)}`;
};

/**
 * Replaces a clock time by a corrected hour without "at": "at five, I mean six". Returns null for a correction of
 * another kind.
 */
const correctedHour = ({ before, after, earlier }: Correction): string | null => {
  const hour =
    /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}(?::\d\d)?)(?: thirty| fifteen| forty[- ]five)?(?: ?[ap]\.?m\b\.?)?(?=[,.;!?]|$| (?:at|on|in|to|about|tomorrow|today|with|for|and|please)\b)/i.exec(
      after,
    );
  const clock = earlier.filter(({ time }) => time !== null).at(-1);
  if (!hour || !clock) return null;
  const time = clock.time!;
  return `${before.slice(0, time.index)}${hour[0]}${before.slice(time.end)}${after.slice(hour[0].length)}`;
};

/**
 * Replaces the last verb, and all words that belong to it, by those of the correction. Returns null if there is no such
 * verb.
 */
const correctedVerb = ({ before, after }: Correction): string | null => {
  for (let at = before.length; at > 0; at = before.lastIndexOf(' ', at - 1)) {
    const from = before.lastIndexOf(' ', at - 1) + 1;
    const word = before.slice(from, at).replace(/[,.;!?]$/, '');
    if (
      isAct(word) &&
      (leadingPhrase.test(before.slice(0, from)) || /\b(?:and|then|,) $/.test(before.slice(0, from)))
    )
      return `${before.slice(0, from)}${after.replace(/^(\p{L}+),(?= \p{L})/u, '$1')}`;
    if (from === 0) break;
  }
  return null;
};

const noThing =
  /^(?:it|that|this|he|she|they|there|we|you|i'm|it's|that's|nothing|what|how|why|because|if|so|never)\b/i;

/** Matches the comma between a phrase and the date after it. */
const beforeDate = /^([^,.;!?]{1,60}), (?=(?:on|at|by|before|until|in|next|this|tomorrow|today|tonight)\b)/i;

/**
 * Replaces the last thing or person, but not its date: "call Bob tomorrow, sorry, Ann". Returns null for a correction
 * of another kind.
 */
const correctedThing = ({ before, after, earlier }: Correction): string | null => {
  const phrase = firstPhrase(after);
  const size = phrase.split(' ').filter((word) => !article.test(word)).length;
  if (phrase === '' || size > 4 || noThing.test(phrase)) return null;
  const last = earlier.at(-1);
  const dateAt =
    last && last.end >= before.trimEnd().length ? withPreposition(before, last.index) : before.length;
  const head = before.slice(0, dateAt).trimEnd();
  const own = article.test(phrase.split(' ')[0]!);
  const wrong = lastPrepositional(head, phrase) ?? sameHead(head, phrase) ?? lastPhrase(head, size, own);
  if (wrong.index <= 0) return null;
  const words = wrong.text.split(' ');
  const kept = !own && words.length > size && article.test(words[0]!) ? `${words[0]} ` : '';
  const said = phrase.replace(/[.,;!?]+$/, '');
  const tail = head.length < before.length ? ` ${before.slice(dateAt).trim()}` : '';
  const told = head.slice(wrong.index + wrong.text.length).replace(/[\s,]+$/, '');
  // "The flight to Rome, sorry, the flight to Oslo": the speaker repeats the phrase with the preposition, so this
  // phrase is replaced too.
  const preposition = /^ (?:to|for|with|from|at|in|on|about|of|by) /.exec(after.slice(phrase.length))?.[0];
  const again = preposition !== undefined && told.startsWith(preposition);
  const behind = again ? '' : told;
  const rest = again
    ? after.slice(phrase.length).replace(beforeDate, '$1 ')
    : after.slice(phrase.length).replace(/^(?=\w)/, ' ');
  return `${head.slice(0, wrong.index)}${kept}${said}${behind}${tail}${rest}`;
};

/** Applies one correction: the words after "no" or "sorry" replace the last words before it. Returns null if nothing can be replaced. */
export const corrected = (before: string, after: string): string | null => {
  if (after.trim() === '' || phraseAgain.test(after)) return null;
  const said = { before, after, earlier: mentionsIn(before, nowhere), later: mentionsIn(after, nowhere) };
  const [first] = said.later;
  if (first !== undefined && withPreposition(after, first.index) === 0) return correctedDate(said);
  const duration = correctedDuration(said) ?? correctedHour(said);
  if (duration !== null) return duration;
  const [verb = ''] = after.split(' ');
  return isAct(verb.replace(/[,.;!?]$/, '')) ? correctedVerb(said) : correctedThing(said);
};
