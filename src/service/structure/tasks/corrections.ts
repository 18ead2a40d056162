import { mentionsIn } from '../dates/index.js';
import { corrected, nowhere, withPreposition } from './corrected.js';

/** Matches words with which people replace what they said before, such as "no wait" or "I mean". */
const marker =
  /(?:[,.…—–-]{0,3}\s+|[,…—–]\s*)(?:(?:oh |uh |ah |er |um )?(?:no,? wait,?(?: no,?)?|wait,? no,?|no no,?(?: no,?)?|no,? sorry,?|oh sorry,?|sorry,?(?: i (?:meant|mean),?)?|i mean,?|i meant,?|or rather,?|rather,|scratch that,?|strike that,?|correction,?|make (?:that|it)|no,? make (?:that|it)|actually,? make (?:that|it)|(?:no,? |wait,? )?(?:hang|hold) on(?: a (?:sec|second|minute|moment))?,?(?: no,?)?|what am i saying,?|i take that back,?|let me rephrase(?: that)?,?|no,? not (?:that|him|her|them|there),?|actually,? no,?(?: make (?:that|it))?|no,? actually,?|wait,? actually,?|well,? actually,?|let's say|oops,?|excuse me,?|my bad,?|i should say|that is,))\s+|,\s*(?:no|wait|actually|or actually|well),?\s+|\s(?:no|wait|sorry|actually),\s+|\s(?:no|wait|actually)\s+(?=(?:on |at |by |next |in )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|at |(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}(?::\d\d)?)(?: ?[ap]\.?m\b\.?)?(?:[,.;]|$| (?:to|on|tomorrow|tonight|today|in)\b))|(?<=\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}))\s(?:no|sorry|wait)\s+(?=(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3})\b)/giu;

/** Matches corrections such as "not tomorrow but Thursday", up to the corrected words. */
const notBut = /\bnot (?<wrong>[^,.;!?]{1,40}?),? (?:but(?: rather)?|rather) /giu;
/** Matches words that correct the words before them, such as "not Tuesday" in "Thursday, not Tuesday". */
const notBehind =
  /,? (?:and |but )?not (?<wrong>(?:on |at |by |in |the |this |next )*[^,.;!?]{1,30}?)(?=[,.;!?]|$)/giu;

const insteadOf =
  /,? (?:instead of|rather than) (?:on |at |by |in )?(?<wrong>[^,.;!?]{1,30}?)(?=[,.;!?]|$)/giu;

/** Whether a text consists only of a date. */
export const isDate = (text: string): boolean => {
  const [mention, ...more] = mentionsIn(text, nowhere);
  if (!mention || more.length > 0 || mention.end < text.trimEnd().length) return false;
  return withPreposition(text, mention.index) === 0;
};

/** Removes days and times that a text denies ("not tomorrow"). */
const withoutDenied = (text: string): string =>
  text
    .replace(notBut, (whole: string, wrong: string) => (isDate(wrong) ? '' : whole))
    .replace(notBehind, (whole: string, wrong: string) => (isDate(wrong) ? '' : whole))
    .replace(insteadOf, (whole: string, wrong: string) => (isDate(wrong) ? '' : whole));

/** Matches a day that a correction names relative to an earlier day: "Tomorrow, no, the day after". */
const dayBeside =
  /\b(?<day>tomorrow|today|(?:mon|tues|wednes|thurs|fri|satur|sun)day|christmas(?: day)?)(?<between>,? (?:but |no,? |wait,? |sorry,? |or |rather |actually,? |i mean,? |i meant,? |make (?:that|it) |scratch that,? |well,? |maybe |better )*(?:on )?the day (?:after|before))(?: that)?(?=[,.;!?]|$| (?:i|we|i'm|i've|to|at|in|remind|please|instead)\b)/giu;

/** Maximum number of corrections that are applied to a sentence. */
const mostCorrections = 4;

/** Whether a sentence may contain a correction. */
export const mayCorrect = (text: string): boolean => {
  marker.lastIndex = 0;
  return marker.test(text) || /\b(?:not|instead of|rather than)\b/i.test(text);
};

/** Returns a sentence as the speaker finally meant it. The words that the speaker corrected or denied are removed. */
export const asMeant = (said: string): string => {
  const text = said.replace(dayBeside, '$<day>$<between> $<day>');
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

/** Whether a sentence begins with a correction of the sentence before it ("No wait, Thursday."). */
export const isCorrection = (text: string): boolean =>
  text.length < 60 &&
  text.split(' ').length <= 8 &&
  new RegExp(`^(?:${marker.source.replace(/^\(\?:[^)]*\|\[,…—–\]\\s\*\)/, '')})`, 'iu').test(`, ${text}`);
