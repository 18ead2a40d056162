/** When a decode is taken for one that ran on, and what is kept of a text that ends in a loop. */
import fc from 'fast-check';
import t from 'tap';
import { ranOn, withoutLoop } from '../../src/stt/second-try.js';

const tokens = (text: string): string[] => text.split(' ');

t.test('decodes that ran on', async (t) => {
  const cases: [name: string, tokens: string[], seconds: number, expected: boolean][] = [
    ['no tokens', [], 1, false],
    ['as many tokens as the recogniser allows', tokens('a b c d e f'), 1, true],
    ['one less', tokens('a b c d e'), 1, false],
    ['the limit is rounded down', tokens('a b c d e'), 0.9, true],
    ['a token four times on average', tokens('a b a b a b a b'), 60, true],
    ['a token three times on average', tokens('a b a b a b'), 60, false],
  ];
  for (const [name, given, seconds, expected] of cases) t.equal(ranOn(given, seconds), expected, name);
});

t.test('texts that end in a loop', async (t) => {
  const cases: [text: string, expected: string][] = [
    ['10 of close 10 of close 10 of close', '10 of close'],
    [
      'Go forward 10 meters. Go forward 10 meters. Go forward 10',
      'Go forward 10 meters. Go forward 10 meters. Go forward 10',
    ],
    ['Go forward 10 meters. go forward 10 meters, Go forward 10 meters Go', 'Go forward 10 meters.'],
    ['He said no, no, no, no', 'He said no,'],
    ['He said no, no', 'He said no, no'],
    ['one two three', 'one two three'],
    ['', ''],
  ];
  for (const [text, expected] of cases) t.equal(withoutLoop(text), expected, text);
});

t.test('any loop: the first copy is kept, and nothing else is changed', async () => {
  const word = fc.constantFrom('red', 'green', 'blue', 'black', 'white', 'grey');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), fc.integer({ min: 0, max: 5 }), (words, copies) => {
      const text = words.join(' ');
      const looped = Array.from({ length: copies + 1 }, () => text)
        .join(' ')
        .trim();
      const kept = withoutLoop(looped);
      return looped.startsWith(kept) && (words.length === 0 || kept.length > 0);
    }),
  );
});
