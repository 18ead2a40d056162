import { englishName } from './english.js';
import { isNoName } from './not-names.js';

/** Placeholder of the name in a form. The pattern for the name depends on the script of the language. */
const place = '%';

/**
 * Pattern of a name in scripts with capitals: a capitalised word of bounded length. Without the bound, each letter of a
 * text such as `A-A-A-` could begin a name. For each of them, the search would then scan to the end of the text.
 */
const capitalised = String.raw`(\p{Lu}[\p{L}\p{M}'’-]{0,48}\p{L}\p{M}{0,4})`;
/**
 * Patterns of names in scripts without capitals. The rest of the form, or the end of the sentence or clause, shows
 * where such a name ends.
 */
const han = String.raw`([\p{Script=Han}·]{2,4})`;
const kana = String.raw`([\p{Script=Han}\p{Script=Katakana}ー・]{2,8})`;
const hangul = String.raw`(\p{Script=Hangul}{2,4}?)`;
const thai = String.raw`([\p{Script=Thai}]{2,20}?)`;
const devanagari = String.raw`([\p{Script=Devanagari}\p{M}]{2,20})`;

const end = String.raw`(?=\s*(?:$|[.,;:!?。，、！？।]))`;

interface Forms {
  readonly name: string;
  readonly forms: readonly string[];
}

const written = (...forms: string[]): Forms => ({ name: capitalised, forms });

/**
 * Phrases with which people introduce themselves, by language. `%` stands for the name. A `|` at the end means that the
 * sentence or clause must end there. Phrases after which a capitalised profession is as frequent as a name are left out
 * (German "ich bin", Hungarian "vagyok").
 */
const forms: Readonly<Record<string, Forms>> = {
  bg: written('аз съм %', 'казвам се %', 'името ми е %'),
  ca: written('em dic %', 'soc la %', 'soc en %', 'el meu nom és %'),
  cs: written('jmenuji se %', 'jmenuju se %', 'moje jméno je %', 'mé jméno je %', 'já jsem %', 'jsem %'),
  da: written('jeg hedder %', 'mit navn er %', 'jeg er %'),
  de: written('ich heiße %', 'ich heisse %', 'mein Name ist %', '% ist mein Name'),
  el: written('με λένε %', 'το όνομά μου είναι %', 'ονομάζομαι %', 'είμαι ο %', 'είμαι η %'),
  es: written('me llamo %', 'mi nombre es %', 'yo soy %', 'soy %', '% es mi nombre'),
  et: written('minu nimi on %', 'mu nimi on %', 'mina olen %', 'ma olen %'),
  fi: written('minun nimeni on %', 'nimeni on %', 'mun nimi on %', 'minä olen %'),
  fr: written("je m'appelle %", 'je m’appelle %', 'mon nom est %', 'mon prénom est %', 'je suis %'),
  hi: { name: devanagari, forms: ['मेरा नाम % है'] },
  hu: written('a nevem %', '% a nevem', 'én % vagyok'),
  id: written('nama saya %', 'namaku %', 'saya adalah %', 'saya %|'),
  it: written('mi chiamo %', 'il mio nome è %', 'io sono %', 'sono %'),
  ja: { name: kana, forms: ['名前は%です', '%と申します', '%といいます', '%と言います'] },
  ko: {
    name: hangul,
    forms: ['이름은 %입니다', '이름은 %이에요', '이름은 %예요', '저는 %이라고', '저는 %라고'],
  },
  lt: written('mano vardas yra %', 'mano vardas %', 'aš esu %'),
  lv: written('mani sauc %', 'mans vārds ir %', 'es esmu %'),
  ms: written('nama saya %', 'nama aku %', 'saya %|'),
  nl: written('ik heet %', 'mijn naam is %', 'ik ben %', '% is mijn naam'),
  no: written('jeg heter %', 'mitt navn er %', 'navnet mitt er %', 'jeg er %'),
  pl: written('nazywam się %', 'mam na imię %', 'moje imię to %', 'jestem %'),
  pt: written(
    'o meu nome é %',
    'meu nome é %',
    'me chamo %',
    'chamo-me %',
    'eu sou o %',
    'eu sou a %',
    'eu sou %',
  ),
  ro: written('mă numesc %', 'mă cheamă %', 'numele meu este %', 'eu sunt %'),
  ru: written('меня зовут %', 'моё имя %', 'мое имя %', 'я %|'),
  sk: written('volám sa %', 'moje meno je %', 'ja som %', 'som %'),
  sv: written('jag heter %', 'mitt namn är %', 'jag är %'),
  th: { name: thai, forms: ['ฉันชื่อ%ค่ะ', 'ผมชื่อ%ครับ', 'ดิฉันชื่อ%ค่ะ', 'ฉันชื่อ%|', 'ผมชื่อ%|'] },
  tr: written('benim adım %', 'adım %', 'ismim %', 'ben %|'),
  uk: written('мене звати %', "моє ім'я %", 'моє ім’я %', 'я %|'),
  vi: written('tôi tên là %', 'tên tôi là %', 'tôi là %', 'mình là %'),
  zh: { name: han, forms: ['我叫%|', '我的名字是%|', '我的名字叫%|'] },
};

/** Codes of the languages with known forms. */
export const introducedLanguages: readonly string[] = [...Object.keys(forms), 'en'];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

interface Pattern {
  readonly form: string;
  /** A word of the form, in lower case. A text without it does not contain the form. */
  readonly needs: string;
  /**
   * The pattern is compiled when a text that contains the word is searched. Compiling the forms of all languages takes
   * 250 ms.
   */
  pattern: RegExp | null;
}

/** Forms by language. */
const known = new Map<string, readonly Pattern[]>();

const formsOf = (language: string): readonly Pattern[] => {
  let patterns = known.get(language);
  if (patterns === undefined) {
    patterns = forms[language]!.forms.map((form) => ({ form, needs: longestWord(form), pattern: null }));
    known.set(language, patterns);
  }
  return patterns;
};

const longestWord = (form: string): string =>
  form
    .toLowerCase()
    .split(/[\s%|]+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '');

/** Returns the pattern of a form. It matches at the beginning of a word. Its first letter may have either case. */
const compile = (form: string, name: string): RegExp => {
  const ends = form.endsWith('|');
  const [before = '', after = ''] = (ends ? form.slice(0, -1) : form).split(place);
  const letter = before.slice(0, 1);
  const first = letter === '' ? '' : `[${escaped(letter.toUpperCase())}${escaped(letter.toLowerCase())}]`;
  const source = `${first}${escaped(before.slice(1))}${name}${escaped(after)}`.replaceAll(
    ' ',
    String.raw`\s+`,
  );
  const spaced = name === capitalised || name === devanagari;
  const whole = spaced ? String.raw`(?<![\p{L}\p{M}])${source}(?![\p{L}\p{M}])` : source;
  return new RegExp(`${whole}${ends ? end : ''}`, 'u');
};

/**
 * Maximum number of characters of a text that are searched: the speech of half a minute. The time of a search grows
 * faster than the length of the text.
 */
const longestText = 500;

/**
 * Whether a form is safe to use in texts of other languages. Such a form has at least two words before the name, or a
 * non-Latin script, and does not mean "I am".
 */
const distinct = (form: string): boolean =>
  /\S+\s+\S+.*%|[^\p{Script=Latin}\s%|]/u.test(form) && !weak.test(form);
/** Matches forms of "I am". They are not safe, because a nationality or a word of another language may follow them. */
const weak =
  /^(?:я|ja|ja som|já jsem|eu sou|eu sou o|eu sou a|jeg er|ik ben|je suis|yo soy|io sono|soc la|soc en|én|аз съм|είμαι|είμαι ο|είμαι η|mina olen|ma olen|minä olen|aš esu|es esmu|eu sunt|jag är|tôi là|mình là|saya adalah|saya|ben|adım|ismim) %/u;

/**
 * Finds the name with which a speaker introduces himself or herself, in steps. V8 compiles a pattern at its first and
 * second use, so a text with words of all languages would otherwise take a thread for 200 ms.
 * @param language code of the stream's language. The forms of this language are tried first, then the English forms.
 * For an unknown language the English forms are tried, then the safe forms of all other languages.
 * @returns the name after the last step; null if the speaker does not introduce himself or herself.
 */
export function* introductionSearch(text: string, language: string): Generator<void, string | null> {
  const base = language.toLowerCase().split('-')[0]!;
  const part = text.slice(0, longestText);
  const own = base in forms ? yield* nameIn(part, base) : null;
  if (own !== null) return own;
  const english = englishName(part);
  if (english !== null || base in forms || base === 'en') return english;
  for (const one of Object.keys(forms)) {
    const name = yield* nameIn(part, one, distinct);
    if (name !== null) return name;
  }
  return null;
}

/**
 * Compiles the English patterns, which are used for every language. V8 compiles a pattern when it is first used, and
 * again when it is used for the second time. In total this takes 30 ms. For texts with characters beyond Latin-1, V8
 * compiles again. A thread with streams calls this before it serves them.
 */
export const prepareIntroductions = (): void => {
  for (const text of ['', '', '…', '…']) englishName(text);
};

function* nameIn(
  text: string,
  language: string,
  counts: (form: string) => boolean = () => true,
): Generator<void, string | null> {
  const lower = text.toLowerCase();
  for (const one of formsOf(language)) {
    if (!counts(one.form) || !lower.includes(one.needs)) continue;
    yield;
    one.pattern ??= compile(one.form, forms[language]!.name);
    const match = one.pattern.exec(text);
    const name = match?.[1];
    if (name === undefined || [...name].length < 2 || isNoName(name)) continue;
    // Skips quoted words, because they belong to another person.
    if (/["“„«][^"”“»]*$/u.test(text.slice(0, match!.index)) && /["”“»]/u.test(text.slice(match!.index)))
      continue;
    return name;
  }
  return null;
}
