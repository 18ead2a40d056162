/** Tests when a decode counts as a runaway (too many or repeated tokens), and which part of a looping text remains. */
import fc from 'fast-check';
import t from 'tap';
import { ranOn, withoutLoop } from '../../../src/stt/whisper/second-try.js';

const tokens = (text: string): string[] => text.split(' ');

t.test('detects decodes that ran on', async (t) => {
  const cases: [name: string, tokens: string[], cutOff: boolean, expected: boolean][] = [
    ['no tokens', [], false, false],
    ['as many tokens as the recogniser allows', tokens('a b c d e f'), true, true],
    ['fewer tokens', tokens('a b c d e f'), false, false],
    ['a token four times on average', tokens('a b a b a b a b'), false, true],
    ['a token three times on average', tokens('a b a b a b'), false, false],
  ];
  for (const [name, given, cutOff, expected] of cases)
    t.equal(ranOn({ tokens: given, cutOff }), expected, name);
});

t.test('removes the loop at the end of a text', async (t) => {
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

t.test('keeps the first copy of any loop and changes nothing else', async () => {
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
