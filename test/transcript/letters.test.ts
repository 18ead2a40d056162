import t from 'tap';
import { capitals, letters, marks, smalls } from '../../src/transcript/names/letters.js';
import { introducedName } from './introduced.js';

const characters = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

t.test('the classes are exact for Latin, Greek, Cyrillic, Armenian and Hebrew letters', async (t) => {
  const exact: readonly (readonly [name: string, made: string, property: RegExp])[] = [
    ['capitals', capitals, /\p{Lu}/u],
    ['smalls', smalls, /\p{Ll}/u],
    ['marks', marks, /\p{M}/u],
    ['letters', letters, /[\p{L}\p{M}]/u],
  ];
  for (const [name, made, property] of exact) {
    const pattern = new RegExp(`[${made}]`);
    const wrong = [...characters(0, 0x5f2), ...characters(0x1e00, 0x1fff)].filter(
      (character) => pattern.test(character) !== property.test(character),
    );
    t.same(wrong, [], name);
  }
});

t.test(
  'the letters of the other scripts belong to the class of letters, their punctuation does not',
  async (t) => {
    const pattern = new RegExp(`[${letters}]`);
    const scripts =
      /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}\p{Script=Georgian}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Ethiopic}]/u;
    const all = characters(0x600, 0xd7ff).concat(characters(0xf900, 0xffdc));
    t.same(
      all.filter(
        (character) => scripts.test(character) && /\p{Lo}/u.test(character) && !pattern.test(character),
      ),
      [],
    );
    const punctuation = `،؛؟۔।॥。、「」，！？“”‘’—–…·${characters(0x2000, 0x206f).join('')}`;
    t.same(
      [...punctuation].filter((character) => pattern.test(character)),
      [],
    );
  },
);

t.test(
  'names keep their case, and texts with letters of another length in lower case are searched',
  async (t) => {
    t.equal(introducedName('hi, my name is ANNA', 'en'), 'ANNA');
    t.equal(introducedName('my name is zoë', 'en'), 'Zoë');
    t.equal(introducedName('İyi. hello, my name is conor', 'en'), 'Conor');
    t.equal(introducedName('İyi günler. Hello, my name is Conor', 'en'), 'Conor');
  },
);
