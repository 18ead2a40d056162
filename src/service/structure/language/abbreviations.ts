import { isFunctionWord } from './words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Titles that are not also words. They are recognised in lower case too. */
const sureTitles =
  'mr mrs ms dr prof mt ft capt sgt lt cmdr cdr cpl pvt maj supt insp fr jr sr atty messrs mme mlle gov';
const sureTitle = set(sureTitles);
/** Titles and ranks before a name. They are recognised only with a capital letter, because some are also words. */
const titles = set(
  `${sureTitles} st col gen adm rev hon sen rep pres det ofc ens amb brig comm commr asst assoc dir sec treas min ald dep const
  cllr msgr pte spc wo cpo ssgt tsgt msgt bp abp sra srta herr dott ing eng`,
);
/** Abbreviations before a number or a letter: "No. 12", "Apt. 4". */
const counted = set(
  'no nos vol fig pp p ch ext apt rm bldg ste fl flr unit art sec pg para approx est ca vs',
);
/** Abbreviations after which the sentence always continues. */
const inner = set('vs approx e.g i.e cf incl excl ca viz');
/** Abbreviations that may end a sentence. The sentence continues if the next word is a number or begins in lower case. */
const trailing = set(
  `inc ltd co corp llc plc bros jr sr ph.d m.d d.d.s b.a m.a b.sc m.sc esq st ave rd blvd ln ct hwy pkwy pl sq dept est assn univ etc hr hrs min
  mins sec secs tel ext misc appt avg max temp govt mgr mgmt acct qty wk wks mo mos yr yrs lb lbs oz ft apt u.s u.k`,
);
/** Matches an unlisted rank such as "Cmdr" or "Lt": it has no vowel, and only its first letter is a capital. */
const unknownTitle = /^(?![AEIOUYI])\p{Lu}(?:(?![aeiouy])\p{Ll}){1,4}$/u;

/** Whether a capitalised word may be a name. Words that begin sentences, such as "The" and "I", are not names. */
const mayBeName = (next: string): boolean => {
  const [word = ''] = /^["“(]?[\p{L}'’-]+/u.exec(next) ?? [];
  return (
    /^\p{Lu}/u.test(word) &&
    (/^(?:May|Will)$/.test(word) || !isFunctionWord(word.toLowerCase().replaceAll('’', "'")))
  );
};

/** Whether a word before a full stop is an abbreviation and its sentence continues. */
const isAbbreviation = (word: string, next: string): boolean => {
  const low = word.toLowerCase();
  if (next === '') return false;
  if (inner.has(low)) return true;
  if (counted.has(low) && /^#?(?:\d|\p{Lu}(?!['’\p{L}]))/u.test(next) && !/^I(?!\p{L})/u.test(next))
    return true;
  if (trailing.has(low) && /^(?:\p{Ll}|\d|[,;&(])/u.test(next)) return true;
  if (!mayBeName(next)) return sureTitle.has(low) && /^\p{Ll}/u.test(next) && low !== 'ft';
  if (sureTitle.has(low)) return true;
  if (!/^\p{Lu}/u.test(word)) return false;
  // A single capital letter is an initial, as in "J. R. Hale". The word "I" is not.
  if (/^\p{Lu}$/u.test(word)) return word !== 'I';
  return titles.has(low) || unknownTitle.test(word);
};

const dotted = /(?<![\p{L}\d.'’])(\p{L}[\p{L}.]{0,6})\.(?=(?:\s|[,;]) ?)/gu;
const atEnd = /(?<![\p{L}\d.'’])(\p{L}[\p{L}.]{0,6})\.\s*$/u;

/**
 * Maximum number of characters in which an abbreviation is searched, at the end of a text and at the beginning of the
 * next text.
 */
const looked = 24;

/** Whether a text ends in an abbreviation's full stop, so that its sentence continues in the next text. */
export const endsAbbreviated = (text: string, next: string): boolean => {
  const [, word] = atEnd.exec(text.slice(-looked)) ?? [];
  return word !== undefined && isAbbreviation(word, next.slice(0, looked).trimStart());
};

/**
 * The character that replaces the full stop of an abbreviation. Like the full stop, it is one character, so positions
 * in the text stay valid.
 */
const hidden = '\u2024';

/** Hides the full stops of abbreviations ("Lt. Moreau"), so that they do not end a sentence. `shownAbbreviations` restores them. */
export const hiddenAbbreviations = (text: string): string =>
  text.replace(dotted, (whole: string, word: string, index: number) => {
    const behind = index + whole.length;
    if (!isAbbreviation(word, text.slice(behind, behind + looked).trimStart())) return whole;
    return `${word.replaceAll('.', hidden)}${hidden}`;
  });
export const shownAbbreviations = (text: string): string => text.replaceAll(hidden, '.');
