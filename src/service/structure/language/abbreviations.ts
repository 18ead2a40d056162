import { isFunctionWord } from './words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Titles that are no other words, so that they count in small letters too. */
const sureTitles =
  'mr mrs ms dr prof mt ft capt sgt lt cmdr cdr cpl pvt maj supt insp fr jr sr atty messrs mme mlle gov';
const sureTitle = set(sureTitles);
/** Titles and ranks that stand before a name; with a capital, because some are words. */
const titles = set(
  `${sureTitles} st col gen adm rev hon sen rep pres det ofc ens amb brig comm commr asst assoc dir sec treas min ald dep const
  cllr msgr pte spc wo cpo ssgt tsgt msgt bp abp sra srta herr dott ing eng`,
);
/** What stands before a number or a letter: "No. 12", "Apt. 4". */
const counted = set(
  'no nos vol fig pp p ch ext apt rm bldg ste fl flr unit art sec pg para approx est ca vs',
);
/** What a phrase goes on behind in any case. */
const inner = set('vs approx e.g i.e cf incl excl ca viz');
/** What may end a sentence too: it goes on where the next word is small or a number. */
const trailing = set(
  `inc ltd co corp llc plc bros jr sr ph.d m.d d.d.s b.a m.a b.sc m.sc esq st ave rd blvd ln ct hwy pkwy pl sq dept est assn univ etc hr hrs min
  mins sec secs tel ext misc appt avg max temp govt mgr mgmt acct qty wk wks mo mos yr yrs lb lbs oz ft apt u.s u.k`,
);
/** A rank that no list has: no vowel, and a capital only at its beginning ("Cmdr", "Lt"). */
const unknownTitle = /^(?![AEIOUYI])\p{Lu}(?:(?![aeiouy])\p{Ll}){1,4}$/u;

/** Whether a capitalised word may be a name, and opens no sentence as "The" and "I" do. */
const mayBeName = (next: string): boolean => {
  const [word = ''] = /^["“(]?[\p{L}'’-]+/u.exec(next) ?? [];
  return (
    /^\p{Lu}/u.test(word) &&
    (/^(?:May|Will)$/.test(word) || !isFunctionWord(word.toLowerCase().replaceAll('’', "'")))
  );
};

/** Whether a word with a full stop behind it is an abbreviation, and its sentence goes on with the text behind. */
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
  // Initials: "J. R. Hale".
  if (/^\p{Lu}$/u.test(word)) return word !== 'I';
  return titles.has(low) || unknownTitle.test(word);
};

const dotted = /(?<![\p{L}\d.'’])(\p{L}[\p{L}.]{0,6})\.(?=(?:\s|[,;]) ?)/gu;
const atEnd = /(?<![\p{L}\d.'’])(\p{L}[\p{L}.]{0,6})\.\s*$/u;

/** Most characters at the end of a text, and at the beginning of the next, that tell of an abbreviation. */
const looked = 24;

/** Whether the full stop at the end of a text is that of an abbreviation, behind which its sentence goes on. */
export const endsAbbreviated = (text: string, next: string): boolean => {
  const [, word] = atEnd.exec(text.slice(-looked)) ?? [];
  return word !== undefined && isAbbreviation(word, next.slice(0, looked).trimStart());
};

/** Stands for the full stop of an abbreviation; of the same length, so that places stay. */
const hidden = '\u2024';

/** A text in which the full stops of abbreviations end nothing ("Lt. Moreau"), until `shownAbbreviations`. */
export const hiddenAbbreviations = (text: string): string =>
  text.replace(dotted, (whole: string, word: string, index: number) => {
    const behind = index + whole.length;
    if (!isAbbreviation(word, text.slice(behind, behind + looked).trimStart())) return whole;
    return `${word.replaceAll('.', hidden)}${hidden}`;
  });
export const shownAbbreviations = (text: string): string => text.replaceAll(hidden, '.');
