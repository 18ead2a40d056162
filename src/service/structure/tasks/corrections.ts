import { type Mention, mentionsIn } from '../dates/index.js';
import { isAct } from './verbs.js';

const nowhere = { at: 0, timeZone: 'UTC' };

/** How people take back the words before and say them otherwise. */
const marker =
  /(?:[,.…—–-]{0,3}\s+|[,…—–]\s*)(?:(?:oh |uh |ah |er |um )?(?:no,? wait,?(?: no,?)?|wait,? no,?|no no,?(?: no,?)?|no,? sorry,?|oh sorry,?|sorry,?(?: i (?:meant|mean),?)?|i mean,?|i meant,?|or rather,?|rather,|scratch that,?|strike that,?|correction,?|make (?:that|it)|no,? make (?:that|it)|actually,? make (?:that|it)|actually,? no,?(?: make (?:that|it))?|no,? actually,?|wait,? actually,?|well,? actually,?|let's say|oops,?|excuse me,?|my bad,?|i should say|that is,))\s+|,\s*(?:no|wait|actually|or actually|well),?\s+|\s(?:no|wait|sorry|actually),\s+|\s(?:no|wait|actually)\s+(?=(?:on |at |by |next |in )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|at )/giu;

/** "Not tomorrow but Thursday", "Thursday, not Tuesday". */
const notBut = /\bnot (?<wrong>[^,.;!?]{1,40}?),? (?:but(?: rather)?|rather) /giu;
const notBehind =
  /,? (?:and |but )?not (?<wrong>(?:on |at |by |in |the |this |next )*[^,.;!?]{1,30}?)(?=[,.;!?]|$)/giu;

const insteadOf =
  /,? (?:instead of|rather than) (?:on |at |by |in )?(?<wrong>[^,.;!?]{1,30}?)(?=[,.;!?]|$)/giu;

const kindOf = ({ date, moment, time, part }: Mention): string =>
  moment !== null ? 'day' : date !== null ? 'day' : time !== null ? 'time' : part !== null ? 'time' : 'none';

const prepositions = /\b(?:on|at|by|before|until|till|from|around|after|in|for) (?:the )?$/i;
const withPreposition = (text: string, index: number): number => {
  const match = prepositions.exec(text.slice(0, index));
  return match ? match.index : index;
};

/** Whether a text is a date from its beginning to its end. */
const isDate = (text: string): boolean => {
  const [mention, ...more] = mentionsIn(text, nowhere);
  if (!mention || more.length > 0 || mention.end < text.trimEnd().length) return false;
  return withPreposition(text, mention.index) === 0;
};

/** A text without the days and times that it denies. */
const withoutDenied = (text: string): string =>
  text
    .replace(notBut, (whole: string, wrong: string) => (isDate(wrong) ? '' : whole))
    .replace(notBehind, (whole: string, wrong: string) => (isDate(wrong) ? '' : whole))
    .replace(insteadOf, (whole: string, wrong: string) => (isDate(wrong) ? '' : whole));

const article = /^(?:the|a|an|my|our|your|his|her|their|some|that|this|those|these)$/i;
const small =
  /^(?:to|at|on|in|by|for|with|from|of|about|and|or|but|because|tomorrow|today|tonight|before|after|until|when|if|so|please|next|this)$/i;

/** The words of the first noun phrase of a text, or of its last one. */
const firstPhrase = (text: string): string => {
  const words = text.split(' ');
  let length = 0;
  while (length < words.length && length < 5 && !(small.test(words[length]!) && length > 0)) {
    length++;
    if (/[,.;!?]$/.test(words[length - 1]!)) break;
  }
  return words.slice(0, length).join(' ');
};
const lastPhrase = (text: string, size: number): { index: number; text: string } => {
  const words = text.split(' ');
  let from = words.length - 1;
  // As many words as are put in their place, and the article before them.
  while (from > 0 && words.length - from < size && !small.test(words[from - 1]!) && !isAct(words[from - 1]!))
    from--;
  if (from > 0 && article.test(words[from - 1]!)) from--;
  const found = words.slice(from).join(' ');
  return { index: text.length - found.length, text: found };
};

const phraseAgain = /^(?:i|we|remind me|don't forget|please|let's|can you|could you)\b/i;
const leadingPhrase = /\b(?:to|must|should|gotta|better|'ll|will|please|you|forget|let me|let's) $/i;

/** One correction: what stands before the marker with its last words replaced by those behind it; null where none fits. */
const corrected = (before: string, after: string): string | null => {
  if (after.trim() === '' || phraseAgain.test(after)) return null;
  const dates = mentionsIn(after, nowhere);
  const [first] = dates;
  const startsDate = first !== undefined && withPreposition(after, first.index) === 0;
  if (startsDate) {
    const earlier = mentionsIn(before, nowhere);
    const same = earlier.filter((mention) => kindOf(mention) === kindOf(first));
    let wrong = same.at(-1);
    // "Tuesday at three, no, four": the time alone is another one.
    if (wrong === undefined && kindOf(first) === 'time')
      wrong = earlier.filter(({ time }) => time !== null).at(-1);
    if (wrong === undefined) return null;
    const own = withPreposition(after, first.index) < first.index;
    const partly = kindOf(first) === 'time' && wrong.date !== null && wrong.time !== null;
    // A clock time that replaces one of several words of a date keeps its day.
    const wrongAt = partly ? wrong.time!.index : wrong.index;
    const wrongEnd = partly
      ? wrong.time!.end
      : kindOf(first) === 'day' &&
          first.time === null &&
          wrong.time !== null &&
          wrong.date !== null &&
          wrong.time.index > wrong.index
        ? withPreposition(before, wrong.time.index)
        : wrong.end;
    const from = own ? withPreposition(before, wrongAt) : wrongAt;
    const said = after.slice(own ? 0 : first.index, first.end);
    const behindWrong = before.slice(wrongEnd);
    const gap = behindWrong === '' || /^[\s,.;]/.test(behindWrong) ? '' : ' ';
    return `${before.slice(0, from)}${said}${gap}${behindWrong.replace(/[\s,]+$/, '')}${after.slice(first.end)}`;
  }
  // "At five, I mean six": a bare hour behind a clock time.
  const hour =
    /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}(?::\d\d)?)(?: thirty| fifteen| forty[- ]five)?(?: ?[ap]\.?m\b\.?)?(?=[,.;!?]|$| (?:at|on|in|to|about|tomorrow|today|with|for|and|please)\b)/i.exec(
      after,
    );
  const clock = mentionsIn(before, nowhere)
    .filter(({ time }) => time !== null)
    .at(-1);
  if (hour && clock) {
    const { time } = clock;
    return `${before.slice(0, time!.index)}${hour[0]}${before.slice(time!.end)}${after.slice(hour[0].length)}`;
  }
  const [verb = ''] = after.split(' ');
  if (isAct(verb.replace(/[,.;!?]$/, ''))) {
    // A verb replaces the last one, with all that was said of it.
    for (let at = before.length; at > 0; at = before.lastIndexOf(' ', at - 1)) {
      const from = before.lastIndexOf(' ', at - 1) + 1;
      const word = before.slice(from, at).replace(/[,.;!?]$/, '');
      if (
        isAct(word) &&
        (leadingPhrase.test(before.slice(0, from)) || /\b(?:and|then|,) $/.test(before.slice(0, from)))
      )
        return `${before.slice(0, from)}${after}`;
      if (from === 0) break;
    }
    return null;
  }
  const phrase = firstPhrase(after);
  const size = phrase.split(' ').filter((word) => !article.test(word)).length;
  if (
    phrase === '' ||
    size > 4 ||
    /^(?:it|that|this|he|she|they|there|we|you|i'm|it's|that's|nothing|what|how|why|because|if|so|never)\b/i.test(
      phrase,
    )
  )
    return null;
  const earlier = mentionsIn(before, nowhere).at(-1);
  // "Call Bob tomorrow, sorry, Ann": the date stays.
  const dateAt =
    earlier && earlier.end >= before.trimEnd().length
      ? withPreposition(before, earlier.index)
      : before.length;
  const head = before.slice(0, dateAt).trimEnd();
  const wrong = lastPhrase(head, size);
  if (wrong.index <= 0) return null;
  const own = phrase.split(' ').some((word, index) => index === 0 && article.test(word));
  const kept = own
    ? ''
    : wrong.text.split(' ').length > size && article.test(wrong.text.split(' ')[0]!)
      ? `${wrong.text.split(' ')[0]} `
      : '';
  const said = phrase.replace(/[.,;!?]+$/, '');
  const tail = head.length < before.length ? ` ${before.slice(dateAt).trim()}` : '';
  return `${head.slice(0, wrong.index)}${kept}${said}${tail}${after.slice(phrase.length).replace(/^(?=\w)/, ' ')}`;
};

/** Most corrections of a sentence that are followed. */
const mostCorrections = 4;

/** A sentence as its speaker meant it in the end, without words that were corrected or denied. */
export const asMeant = (text: string): string => {
  let rest = /\b(?:not|instead of|rather than)\b/i.test(text) ? withoutDenied(text) : text;
  let from = 0;
  for (let count = 0; count < mostCorrections; count++) {
    marker.lastIndex = from;
    const match = marker.exec(rest);
    if (!match) break;
    const before = rest.slice(0, match.index);
    const made =
      before.trim() === '' ? null : corrected(before.trimEnd(), rest.slice(match.index + match[0].length));
    if (made === null) from = match.index + match[0].length;
    else {
      rest = made;
      from = 0;
    }
  }
  return rest;
};

/** Whether a sentence goes on with a correction of the one before ("No wait, Thursday."). */
export const isCorrection = (text: string): boolean =>
  text.length < 60 &&
  text.split(' ').length <= 8 &&
  new RegExp(`^(?:${marker.source.replace(/^\(\?:[^)]*\|\[,…—–\]\\s\*\)/, '')})`, 'iu').test(`, ${text}`);
