import { hiddenAbbreviations } from './abbreviations.js';

/** Matches sounds of hesitation. They never have a meaning. */
const hesitation =
  /(?:^|(?<=[\s,.…-]))(?:u+h+m*|u+m+|e+r+m*|a+h+m+|h+m+|m+h+m+)(?:[,.…-]+(?=\s|$)|(?=[\s,.!?…]|$))/gi;
/** Matches hesitation between two commas. */
const setOff = /, (?:u+h+m*|u+m+|e+r+m*|a+h+m+|h+m+),(?=\s)/gi;
const fillers =
  "(?:you know|like|kind of|sort of|i guess|right|well|basically|honestly|what's (?:it|his name|her name|the word|that) called|what's (?:it|his name|her name|the word)|what do you call it|let's see|let me (?:think|see))";
/** Matches fillers that have no meaning between pauses. */
const aside = new RegExp(`, ${fillers}(?=,)`, 'gi');
/** Matches fillers between commas after a word that a verb follows ("I need to, like, renew"). Both commas are removed too. */
const asideBehindVerb = new RegExp(`(?<=\\b(?:to|must|should|gotta)), ${fillers},(?= )`, 'gi');
/**
 * Matches a comma after a word that begins a phrase. Such a comma is a remnant: the words between it and a second comma
 * were removed.
 */
const opened =
  /\b(and|or|the|an?|my|our),(?= (?!(?:i|we|you|he|she|it|they|no|wait|sorry|actually)(?:'\w+)?\b)\p{L})/giu;

/** Matches phrases between commas that may correct the words before them. */
const correcting = /, (?:i mean|actually)(?=,)/gi;
/**
 * Removes "I mean" and "actually" between commas, because they may announce a correction. Call it only for texts in
 * which corrections are not applied.
 */
export const withoutCorrecting = (text: string): string => text.replace(correcting, '');

/**
 * Matches one to three words that are immediately repeated: "I I work", "I think I think so". Such a repetition is a
 * self-correction.
 */
const repeated = /\b(\p{L}[\p{L}']{0,20}(?: \p{L}[\p{L}']{0,20}){0,2})(?:[ ,…-]{1,3}\1\b){1,4}/giu;
/** Words that speakers may repeat on purpose. */
const doubled = new Set(['that', 'had', 'very', 'really', 'so', 'no', 'bye', 'many', 'far', 'more', 'never']);

/** Removes hesitation and repeated words. Replaces apostrophes by the ASCII apostrophe. */
export const withoutHesitation = (text: string): string =>
  text
    .replace(/[’‘`]/gu, "'")
    .replace(setOff, ' ')
    .replace(hesitation, '')
    .replace(asideBehindVerb, '')
    .replace(aside, '')
    .replace(opened, '$1')
    .replace(repeated, (whole: string, word: string) => (doubled.has(word.toLowerCase()) ? whole : word))
    .replace(/\s{1,400}/gu, ' ')
    .replace(/ (?=[,.!?…])/gu, '')
    .replace(/^[ ,.!?…-]{1,400}/u, '')
    .replace(/,(?=[,.!?])/gu, '')
    .trim();

/** Matches punctuation outside words, or a conjunction before a new statement. */
const boundary =
  /(?<!\b[ap]\.m)\.(?=\s|$)|[,:](?=\s|$)|[;!?…()"]|\s[-–—]{1,2}\s|\s(?:but|because|cause|'cause|although|though|which|while|whereas|except|unless|anyway|however|okay|ok)\b|\s(?:and|so|or|then|and then|and so) (?:i|i'm|i've|i'll|i'd|we|we're|we'll|he|he's|she|she's|they|they're|it|it's|you|you're|my|our|that|that's|there|there's|this|what|maybe|then|now|how|do|don't|can|could|let's|also|the)\b|\s(?:so|and|or)$|\s(?:i mean|you know|i guess|i think|if|so (?=\w+ing\b))\b/i;

/** Returns the beginning of a text, up to its second statement. */
export const firstStatement = (text: string): string => {
  const end = boundary.exec(hiddenAbbreviations(text));
  return (end ? text.slice(0, end.index) : text).trim();
};

const tail =
  /\s(?:please|by the way|okay|ok|right|you know|though|too|as well|and stuff|and everything|or something|or whatever|i guess|i think|actually|anyway|(?<!from )now|so|and|but|or|um|uh|yeah|basically|honestly)$/i;

/** Matches a text that ends in an abbreviation ("5 p.m."). */
const abbreviated =
  /(?:^|[\s\d])(?:[ap]\.m|etc|inc|ltd|jr|sr|st|ave|rd|blvd|approx|(?:\p{Lu}\.)+\p{Lu})\.\s?$/iu;

/** Removes empty words and marks at the end of a text. */
export const withoutTail = (text: string): string => {
  // Keeps the last full stop if it belongs to an abbreviation.
  let rest = abbreviated.test(text) ? text.trimEnd() : text.replace(/[\s,;:.!?…-]{1,20}$/u, '');
  for (let cuts = 0; cuts < 4 && tail.test(rest); cuts++)
    rest = rest.replace(tail, '').replace(/[\s,]{1,20}$/u, '');
  return rest;
};

/** Matches opening words of a spoken sentence that have no meaning in a written text. */
const lead =
  /^(?:(?:and|but|so|or|then|well|yeah|yes|no|okay|ok|right|oh|ah|hey|hi|hello|look|listen|like|anyway|also|now|sure|great|cool|alright|all right|you know what|you know|i mean|i guess|i think|basically|actually|because|thanks|thank you|of course|exactly|honestly|by the way|plus|there|everyone|everybody|guys|all|folks)(?:[,.!]+ | (?=\S)))/i;

/** Removes meaningless opening words of a sentence. */
export const withoutLead = (text: string): string => {
  let rest = text;
  for (let cuts = 0; cuts < 6 && lead.test(rest); cuts++) {
    const shorter = rest.replace(lead, '');
    if (shorter.split(' ').length < 3) break;
    rest = shorter;
  }
  return rest;
};
