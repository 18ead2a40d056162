import type { SpokenLanguage } from './talks.js';

const english = {
  small:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
      ' ',
    ),
  tens: 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  ordinals: {
    one: 'first',
    two: 'second',
    three: 'third',
    five: 'fifth',
    eight: 'eighth',
    nine: 'ninth',
    twelve: 'twelfth',
  } as Readonly<Record<string, string>>,
} as const;

const french = {
  small:
    'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept dix_huit dix_neuf'
      .split(' ')
      .map((word) => word.replace('_', ' ')),
  tens: 'zero dix vingt trente quarante cinquante soixante'.split(' '),
} as const;

const below100: Readonly<Record<SpokenLanguage, (value: number) => string>> = {
  en: (value) => {
    if (value < 20) return english.small[value]!;
    const unit = value % 10;
    return `${english.tens[Math.floor(value / 10)]}${unit === 0 ? '' : ` ${english.small[unit]}`}`;
  },
  fr: (value) => {
    if (value < 20) return french.small[value]!;
    if (value >= 80) return `quatre vingt${value === 80 ? '' : ` ${french.small[value - 80]}`}`;
    const base = value >= 60 ? 60 : value - (value % 10);
    const rest = value - base;
    const ten = french.tens[base / 10]!;
    if (rest === 0) return ten;
    return rest === 1 || rest === 11 ? `${ten} et ${french.small[rest]}` : `${ten} ${french.small[rest]}`;
  },
};

/** Returns a cardinal number below a million in words: in lower case, without hyphens, accents and plural forms. */
const cardinal = (value: number, language: SpokenLanguage): string => {
  if (value < 100) return below100[language](value);
  const [unit, name]: readonly [number, string] =
    value < 1000
      ? [100, language === 'en' ? 'hundred' : 'cent']
      : [1000, language === 'en' ? 'thousand' : 'mille'];
  const count = Math.floor(value / unit);
  const head = language === 'fr' && count === 1 ? name : `${cardinal(count, language)} ${name}`;
  return value % unit === 0 ? head : `${head} ${cardinal(value % unit, language)}`;
};

/**
 * Returns the spoken forms of a number of four digits that is read in pairs, such as a year; empty for other numbers.
 */
const inPairs = (value: number): string[] => {
  const [first, second] = [Math.floor(value / 100), value % 100];
  if (first < 11 || first > 99 || first % 10 === 0) return [];
  const head = below100.en(first);
  if (second === 0) return [`${head} hundred`];
  return second < 10 ? [`${head} oh ${below100.en(second)}`] : [`${head} ${below100.en(second)}`];
};

const ordinalOf = (words: string, language: SpokenLanguage): string => {
  const [, head = '', last = ''] = /^(.* )?(\S+)$/.exec(words) ?? [];
  if (language === 'fr') return words === 'un' ? 'premier' : `${head}${last.replace(/e$/, '')}ieme`;
  return `${head}${english.ordinals[last] ?? `${last.replace(/y$/, 'ie')}th`}`;
};

const number = /^(\d{1,6})(st|nd|rd|th|er|re|e|eme|ieme)?$/;

/**
 * Returns the spoken forms of a number in digits. The first form is the cardinal or ordinal number.
 * @param token a word in lower case without accents: `1892`, `23rd`.
 * @returns each form as words; empty if the token is no number below a million.
 */
export const spokenForms = (token: string, language: SpokenLanguage): (readonly string[])[] => {
  const [, digits, suffix] = number.exec(token) ?? [];
  if (digits === undefined) return [];
  const value = Number(digits);
  const plain = cardinal(value, language);
  const oneByOne = [...digits].map((digit) => below100[language](Number(digit))).join(' ');
  const forms =
    suffix !== undefined
      ? [ordinalOf(plain, language)]
      : language === 'fr'
        ? [plain, oneByOne, ...(value === 1 ? ['une'] : [])]
        : [plain, plain.replace(/hundred (?=\S)/, 'hundred and '), ...inPairs(value), oneByOne];
  return [...new Set(forms)].map((form) => form.split(' '));
};
