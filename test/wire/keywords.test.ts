/** Tests the rules for lists of custom words. */
import fc from 'fast-check';
import t from 'tap';
import { characterCount } from '../../src/common/text.js';
import { joinKeywords, keywordBounds, readKeywords, readKeywordText } from '../../src/wire/keywords.js';

const numbered = (count: number, name = 'word'): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

t.test('a list may have 100 words of 50 characters', async (t) => {
  t.same(keywordBounds, { words: 100, length: 50 });
  t.strictSame(readKeywords(numbered(100)), { words: numbered(100) });
  t.strictSame(readKeywords(numbered(101)), { refusal: 'too_many_words', limit: 100 });
  t.strictSame(readKeywords(new Array(101).fill('')), { refusal: 'too_many_words', limit: 100 });
  for (const character of ['x', 'é', '語', '\u{1f600}']) {
    t.strictSame(readKeywords([character.repeat(50)]), { words: [character.repeat(50)] });
    t.strictSame(readKeywords([character.repeat(51)]), { refusal: 'word_too_long', limit: 50 });
  }
  t.strictSame(readKeywords([`${' '.repeat(100_000)}x${'\n'.repeat(100_000)}`]), { words: ['x'] });
});

const read: [given: string, words: string[]][] = [
  ['', []],
  [' , ,', []],
  ['Okafor', ['Okafor']],
  ['Okafor, okafor,OKAFOR', ['Okafor']],
  ['ÉCOLE,école', ['ÉCOLE']],
  ['b,a,b', ['b', 'a']],
  ['van  der\tBerg', ['van der Berg']],
  ['a\0b\u0007c\u0085d', ['a b c d']],
  ['\0', []],
  ['half \ud800 pair', ['half \ufffd pair']],
];
for (const [given, words] of read) {
  t.test(`reads ${JSON.stringify(given)}`, async (t) => {
    t.strictSame(readKeywordText(given), { words });
  });
}

t.test('joins lists: an earlier list comes first, and words beyond the limits are omitted', async (t) => {
  t.strictSame(joinKeywords(['Ada', 'Ben'], ['ben', 'Cem'], ['ADA', 'Dov']), ['Ada', 'Ben', 'Cem', 'Dov']);
  t.strictSame(joinKeywords(numbered(60), numbered(60, 'name')), [...numbered(60), ...numbered(40, 'name')]);
  t.strictSame(joinKeywords(['x'.repeat(51), 'y']), ['y']);
  t.strictSame(joinKeywords(), []);
});

const word = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('Ada', 'ada', ' ', ''));

t.test('every accepted list is within its limits, and is accepted unchanged', async () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 120 }), (given) => {
      const list = readKeywords(given);
      const words = 'words' in list ? list.words : joinKeywords(given);
      const again = readKeywords(words);
      return (
        words.length <= 100 &&
        words.every(
          (one) => one !== '' && characterCount(one) <= 50 && !/[\p{Cc}\ud800-\udfff]/u.test(one),
        ) &&
        new Set(words.map((one) => one.toLowerCase())).size === words.length &&
        'words' in again &&
        JSON.stringify(again.words) === JSON.stringify(words) &&
        JSON.stringify(joinKeywords(words)) === JSON.stringify(words)
      );
    }),
  );
});
