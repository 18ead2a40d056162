/** Tests which words of a text are compared with keywords, and which of them count as near. */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../../src/config/limits/limits.js';
import { nearWords, waysToWrite } from '../../../../src/stt/whisper/keywords/near-words.js';
import { isOtherForm } from '../../../../src/stt/whisper/keywords/other-forms.js';
import { soundDistance, soundOf } from '../../../../src/stt/whisper/keywords/sound.js';
import { textWords } from '../../../../src/stt/whisper/keywords/text-words.js';

/**
 * Splits a text into tokens as a model might: letters, and each other character. A space belongs to the token that
 * follows it.
 */
const tokensOf = (text: string): string[] =>
  [...text.matchAll(/ ?[\p{L}\p{M}\p{N}]+| ?[^\p{L}\p{M}\p{N}]/gu)].map(([token]) => token);

/** Returns the near words as `words > keyword`. */
const near = (text: string, ...keywords: string[]): string[] =>
  nearWords(textWords(tokensOf(text)), keywords).map(
    ({ words, keyword }) => `${words.map((word) => word.text).join(' ')} > ${keyword}`,
  );

t.test('words of a text', async (t) => {
  const cases: [tokens: string[], words: string[]][] = [
    [
      [' Fos', 'chelle', ' Vau', 'ghn', ',', ' yes', '.'],
      ['Foschelle', 'Vaughn|', 'yes|'],
    ],
    [
      [' an', ' old', '-', 'spos', 'ed', ' man'],
      ['an', 'old', 'sposed', 'man'],
    ],
    [
      [' Ana', "'s", ' house'],
      ['Ana', 'house'],
    ],
    [
      [' Ana', "'", 's', ' house'],
      ['Ana', 'house'],
    ],
    [
      [' don', "'t", ' "', 'go', '"'],
      ["don't", 'go|'],
    ],
    [[' ', '...', ' well'], ['well']],
    [
      [' one', ' x...y', ' two'],
      ['one', 'x...y', 'two'],
    ],
    [
      [' one', ' ...two...three...', ' four'],
      ['one|', 'four'],
    ],
    [['', ' \u4f60', '', '\u597d'], ['\u4f60\u597d']],
    [[], []],
  ];
  for (const [tokens, words] of cases) {
    const found = textWords(tokens);
    t.strictSame(
      found.map(({ text, last }) => `${text}${last ? '|' : ''}`),
      words,
      tokens.join(''),
    );
    for (const { text, from, to, spaced } of found) {
      t.equal(tokens.slice(from, to).join('').trim(), text);
      t.equal(/^\s/.test(tokens[from]!), spaced);
    }
  }
});

t.test('near words', async (t) => {
  const cases: [text: string, keywords: string[], found: string[]][] = [
    [' I saw Jameson there.', ['Jamieson'], ['Jameson > Jamieson', 'saw Jameson > Jamieson']],
    [' The withall of it', ['withal'], ['withall > withal', 'The withall > withal']],
    [' said shopy to me', ['shoppy'], ['shopy > shoppy', 'shopy to > shoppy']],
    [' I am the make her of it', ['maker'], ['make her > maker', 'the make her > maker']],
    [
      ' He was not an old-sposed man',
      ['ill-disposed'],
      ['old sposed > ill-disposed', 'an old sposed > ill-disposed'],
    ],
    [' We met Vall Jon.', ['Val Jean'], ['Vall Jon > Val Jean']],
    // Words of two sentences are not compared together.
    [' I make. Her dog', ['maker'], ['make > maker']],
    // Words that already equal a keyword are not near words, not even at the beginning of a sentence.
    [' Shoppy said shopy', ['shoppy'], ['shopy > shoppy']],
    [' I saw Jamieson there.', ['Jamieson'], []],
    [' Lobsters and lobster', ['lobster', 'lobsters'], []],
    // The same letters with different capitals are near.
    [' the Github page', ['GitHub'], ['Github > GitHub', 'the Github > GitHub']],
    [' nothing is like it', ['Jamieson', 'apomorphine'], []],
    [
      ' \u041f\u0440\u0438\u0432\u0435\u0442 \u0421\u0435\u0440\u0433\u0438\u0439',
      ['\u0421\u0435\u0440\u0433\u0435\u0439'],
      ['\u0421\u0435\u0440\u0433\u0438\u0439 > \u0421\u0435\u0440\u0433\u0435\u0439'],
    ],
    [' Herr Muller kommt', ['M\u00fcller'], ['Muller > M\u00fcller', 'Herr Muller > M\u00fcller']],
    [' a b c', ['', '  ', '...'], []],
    [' Jameson', [' Jamieson ', 'Jamieson'], ['Jameson > Jamieson']],
    ['', ['Jamieson'], []],
  ];
  for (const [text, keywords, found] of cases) t.strictSame(near(text, ...keywords), found, text);
});

t.test('at most ten near words, the nearest first', async (t) => {
  const names = Array.from(
    { length: 12 },
    (_, index) => `Karst${'aeiouy'[index % 6]}n${index < 6 ? '' : 'a'}`,
  );
  const text = ` ${names.map((name) => name.replace('K', 'G')).join(' ')}`;
  const found = nearWords(textWords(tokensOf(text)), names);
  t.equal(found.length, fixedLimits.nearWords.value);
  t.ok(found.every(({ distance }, index) => index === 0 || found[index - 1]!.distance <= distance));
});

t.test('a long list of long keywords is compared up to a limit, the first keywords first', async (t) => {
  const word = (number: number): string => `${'kzlm'[number % 4]}${'tsvr'[Math.floor(number / 4) % 4]}`;
  const long = Array.from({ length: 99 }, (_, index) =>
    [index % 10, Math.floor(index / 10), 2, 3, 4, 5, 6].map(word).join(' '),
  );
  const words = textWords(tokensOf(` Gearbocks,${' bo'.repeat(220)}`));
  // Sequences of 6 to 8 words of two letters may be near a keyword of 14 letters.
  const letters = long.length * (220 - 8) * 14 * 2 * (6 + 7 + 8);
  t.ok(letters > fixedLimits.nearLetters.value);
  const found = (keywords: readonly string[]) => nearWords(words, keywords).map(({ keyword }) => keyword);
  t.strictSame(found(['Gearbox', ...long]), ['Gearbox']);
  t.strictSame(found([...long, 'Gearbox']), []);
});

t.test('a keyword of many words is compared with few words', async (t) => {
  const phrase = 'a b d f g i k l m n o p r s';
  t.strictSame(near(` ${phrase.replace('k', 'p')}`, phrase), []);
  const shorter = 'anna bob carl dora emil';
  t.equal(
    near(` ${shorter.replace('carl', 'karle')}`, shorter)[0],
    `${shorter.replace('carl', 'karle')} > ${shorter}`,
  );
});

t.test('ways to write a keyword', async (t) => {
  t.strictSame(waysToWrite('gearbox'), ['gearbox', 'Gearbox']);
  t.strictSame(waysToWrite('iPhone'), ['iPhone']);
  t.strictSame(waysToWrite('Anna'), ['Anna']);
  t.strictSame(waysToWrite('42'), ['42']);
});

t.test('forms of a word', async (t) => {
  const cases: [one: string, other: string, is: boolean][] = [
    ['recite', 'recited', true],
    ['cowards', 'Coward', true],
    ['narrative', 'narratives', true],
    ['Jameson', 'Jamieson', false],
    ['go', 'gone', false],
    ['amiable', 'amicable', false],
  ];
  for (const [one, other, is] of cases) {
    t.equal(isOtherForm(one, other), is, `${one} ${other}`);
    t.equal(isOtherForm(other, one), is);
  }
});

t.test('differences of sounds', async (t) => {
  const distance = (one: string, other: string, most?: number): number =>
    soundDistance(soundOf(one), soundOf(other), most);
  t.equal(distance('Philip', 'filip'), 0);
  t.equal(distance('quick', 'kwik'), 0);
  t.ok(distance('Jamieson', 'Jameson') < distance('Jamieson', 'Samson'));
  t.ok(distance('bad', 'pad') < distance('bad', 'lad'), 'similar consonants');
  const word = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz \u00e9\u0441\u4f60\ud55c'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(word, word, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, most) => {
      const all = distance(one, other);
      if (all < 0 || all > 1 || all !== distance(other, one)) return false;
      if (soundOf(one).weight > 0 && distance(one, one) !== 0) return false;
      const bounded = distance(one, other, most);
      return all <= most ? Math.abs(bounded - all) < 1e-9 : bounded > most;
    }),
  );
});

t.test('near words of any text and list', async () => {
  const text = fc.array(
    fc.constantFrom(' anna', ' an', 'na', ' hanna', '-', ',', "'s", ' bob', '', ' \u4f60'),
    { maxLength: 30 },
  );
  const list = fc.array(fc.constantFrom<string[]>('anna', 'Hanna', 'bobby', 'an', 'banana', ''), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, list, (tokens, keywords) => {
      const words = textWords(tokens);
      return nearWords(words, keywords).every(({ keyword, words: some, distance }) => {
        const from = words.indexOf(some[0]!);
        const together = some.every((word, index) => words[from + index] === word);
        const joined = some.map((word) => word.text).join(' ');
        return (
          keywords.includes(keyword) && together && distance <= 0.4 && !waysToWrite(keyword).includes(joined)
        );
      });
    }),
  );
});
