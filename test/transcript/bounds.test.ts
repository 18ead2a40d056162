/** Tests that the size of a segment is limited, and that no word is lost at the limit in any language. */
import fc from 'fast-check';
import t from 'tap';
import { longestSegment, longestText, pieceLength, splitText } from '../../src/transcript/bounds.js';
import { combineSegments, type IncomingSegment } from '../../src/transcript/merge.js';
import type { StoredSegment } from '../../src/wire/segment.js';

/** Whether a text has no lone half of a surrogate pair. */
const isWhole = (text: string): boolean => Buffer.from(text).toString() === text;
const bare = (text: string): string => text.replace(/\s+/g, '');

t.test('splits a text at sentences, words or characters', async (t) => {
  const table: readonly {
    readonly name: string;
    readonly text: string;
    readonly longest: number;
    readonly gives: readonly string[];
  }[] = [
    { name: 'a blank text', text: ' \n ', longest: 10, gives: [] },
    { name: 'a text that fits', text: ' as it is ', longest: 8, gives: ['as it is'] },
    { name: 'between words', text: 'one two three four', longest: 9, gives: ['one two', 'three', 'four'] },
    { name: 'at the bound itself', text: 'one two three', longest: 7, gives: ['one two', 'three'] },
    {
      name: 'in a word that is too long',
      text: `a ${'b'.repeat(12)} c`,
      longest: 5,
      gives: ['a', 'bbbbb', 'bbbbb', 'bb c'],
    },
    {
      name: 'after a sentence',
      text: '今日は。元気です。はい',
      longest: 9,
      gives: ['今日は。元気です。', 'はい'],
    },
    { name: 'between words without spaces', text: 'สวัสดีครับผมชื่อ', longest: 8, gives: ['สวัสดี', 'ครับผม', 'ชื่อ'] },
    {
      name: 'never inside a surrogate pair',
      text: '\u{20000}'.repeat(4),
      longest: 3,
      gives: new Array(4).fill('\u{20000}'),
    },
    { name: 'never inside a combined emoji', text: '👨‍👩‍👧👨‍👩‍👧', longest: 12, gives: ['👨‍👩‍👧', '👨‍👩‍👧'] },
  ];
  for (const { name, text, longest, gives } of table) t.strictSame(splitText(text, longest), gives, name);
});

t.test('splits any text without a lost word or a piece that is too long', async (t) => {
  const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map(bare), {
    maxLength: 300,
  });
  const script = fc
    .constantFrom('あ漢字カナ。', 'กขคงจฉ', 'ក្រសួង', 'abc', '🇫🇷👍🏽e\u0301')
    .chain((letters) =>
      fc.array(fc.constantFrom(...letters), { maxLength: 600 }).map((list) => list.join('')),
    );
  fc.assert(
    fc.property(
      fc.oneof(
        words.map((list) => list.join(' ')),
        script,
      ),
      fc.integer({ min: 40, max: 200 }),
      (text, longest) => {
        const pieces = splitText(text, longest);
        if (pieces.some((piece) => piece.length > longest || piece.length === 0))
          throw new Error('a piece is too long');
        if (bare(pieces.join('')) !== bare(text)) throw new Error('a character is lost');
        if (isWhole(text) && !pieces.every(isWhole)) throw new Error('half a character');
      },
    ),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 400 }),
      fc.integer({ min: 24, max: 200 }),
      (list, longest) => {
        const text = list.join(' ');
        return splitText(text, longest).join(' ') === text;
      },
    ),
    { numRuns: 300 },
  );
  t.pass('held for 600 texts');
});

t.test('computes the length of pieces from text length and duration', async (t) => {
  const table = [
    [100, 5, 200],
    [9000, 600, 900],
    [9000, 30, longestText],
    [100, 1_000_000, 200],
    [0, 0, 200],
  ] as const;
  for (const [length, duration, expected] of table) {
    t.equal(pieceLength(length, duration), expected);
  }
});

t.test('joins segments only within the limits and keeps every word', async (t) => {
  const spoken = fc.record({
    speaker: fc.integer({ min: 0, max: 1 }),
    words: fc.integer({ min: 1, max: 200 }),
    ends: fc.boolean(),
    pause: fc.double({ min: 0, max: 4, noNaN: true }),
    length: fc.double({ min: 0.1, max: longestSegment, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(spoken, { maxLength: 40 }), (items) => {
      const store = new Map<string, StoredSegment>();
      const said: string[] = [];
      let tail: StoredSegment | null = null;
      let clock = 0;
      items.forEach(({ speaker, words, ends, pause, length }, number) => {
        const text = `${Array.from({ length: words }, (_, index) => `w${number}x${index}`).join(' ')}${ends ? '.' : ''}`;
        said.push(text);
        const start = clock + pause;
        clock = start + length;
        const segment: IncomingSegment = {
          id: `s${number}`,
          text,
          speaker: `SPEAKER_0${speaker}`,
          speaker_id: speaker,
          is_user: false,
          person_id: null,
          start,
          end: clock,
          speech_profile_processed: true,
          stt_provider: 'local',
          stt_model: null,
        };
        const combined = combineSegments(tail, [segment]);
        for (const { id } of combined.deletions) store.delete(id);
        for (const upsert of combined.upserts) store.set(upsert.segment.id, upsert);
        tail = combined.tail;
      });
      const list = [...store.values()].sort((a, b) => a.position - b.position);
      for (const { segment } of list) {
        if (segment.text.length > longestText) throw new Error(`${segment.text.length} characters`);
        if (segment.end - segment.start > longestSegment + 1e-6)
          throw new Error(`${segment.end - segment.start} s`);
      }
      if (list.map(({ segment }) => segment.text).join(' ') !== said.join(' '))
        throw new Error('words differ');
    }),
    { numRuns: 200 },
  );
  t.pass('held for 200 conversations');
});
