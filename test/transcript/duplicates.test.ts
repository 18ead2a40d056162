/** Tests which words are recognised as duplicates because they were spoken once but transcribed twice. Other words must stay. */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { findDuplicates } from '../../src/transcript/duplicates/find-duplicates.js';
import { type TimedText, timedWords } from '../../src/transcript/duplicates/timed-words.js';
import { withoutDuplicates } from '../../src/transcript/duplicates/without-duplicates.js';

/** Runs all steps of a generator. @returns its result and the number of steps. */
const finish = <Result>(steps: Generator<void, Result, undefined>): { result: Result; steps: number } => {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done) return { result: value, steps: count };
  }
};

/** Returns consecutive texts, with 350 ms per word and one second between two texts. @param at start of the first text, in ms. */
const spoken = (texts: readonly string[], at = 0): TimedText[] => {
  let from = at;
  return texts.map((text) => {
    const to = from + 350 * text.split(' ').length;
    const made = { text, from, to };
    from = to + 1000;
    return made;
  });
};
const left = (known: readonly TimedText[], texts: readonly TimedText[]): string[] =>
  finish(withoutDuplicates(known, texts)).result.kept.map(({ text }) => text);

const garden = 'We should order the new garden chairs before the summer sale ends.';
const call = 'Then call Martha about the invoice, please.';

t.test('removes words that repeat known words', (t) => {
  const cases: [title: string, known: TimedText[], texts: TimedText[], kept: string[]][] = [
    ['the same words', spoken([garden, call]), spoken([garden, call], 2000), []],
    ['the same words earlier', spoken([garden, call]), spoken([garden, call], -2000), []],
    ['case and punctuation', spoken([garden]), spoken([garden.toUpperCase().replace('.', '!')]), []],
    [
      'words after the repeated ones',
      spoken([garden]),
      spoken([`${garden} Then we paint them.`], 500),
      ['Then we paint them.'],
    ],
    [
      'words before the repeated ones',
      spoken([garden], 700),
      spoken([`Listen, Ann. ${garden}`]),
      ['Listen, Ann.'],
    ],
    [
      'words between the repeated ones',
      [...spoken([garden]), ...spoken([call], 8650)],
      spoken([garden, 'Ask Tom for his opinion on it.', call], 40),
      ['Ask Tom for his opinion on it.'],
    ],
    [
      'a word that was recognised differently',
      spoken([garden]),
      spoken([garden.replace('chairs', 'cheers')], 300),
      [],
    ],
    [
      'a word that only this transcript has',
      spoken([garden]),
      spoken([garden.replace('new garden', 'new and shiny garden')], 300),
      ['and shiny'],
    ],
    [
      'words during a long story in the other transcript',
      [
        ...spoken([garden]),
        ...spoken(
          Array.from({ length: 30 }, (_, i) => `story${i}`),
          6000,
        ),
        ...spoken([call], 80_000),
      ],
      [...spoken([garden]), ...spoken(['Help me please.'], 40_000), ...spoken([call], 80_000)],
      ['Help me please.'],
    ],
    [
      'words between two short texts of the other transcript',
      [
        ...spoken([garden]),
        ...spoken(['Yes.'], 6000),
        ...spoken(['Well.'], 70_000),
        ...spoken([call], 80_000),
      ],
      [...spoken([garden]), ...spoken(['Help me please.'], 40_000), ...spoken([call], 80_000)],
      ['Help me please.'],
    ],
    ['short words after the proof', spoken([garden, 'Yes.', call]), spoken([garden, 'Yes.', call], 900), []],
    ['a text without words', spoken([garden]), spoken([garden, '…']), ['…']],
    [
      'Chinese',
      spoken(['我们应该在夏季促销结束之前订购新的花园椅子']),
      spoken(['我们应该在夏季促销结束之前订购新的花园椅子。好的'], 40),
      ['好的'],
    ],
  ];
  for (const [title, known, texts, kept] of cases) t.strictSame(left(known, texts), kept, title);
  t.end();
});

t.test('keeps other speech', (t) => {
  const again = (text: string, at: number) => spoken([text], at);
  const cases: [title: string, known: TimedText[], texts: TimedText[]][] = [
    ['the same sentence said again', spoken([garden]), again(garden, 5000)],
    ['the same sentence after an hour', spoken([garden]), again(garden, 3_600_000)],
    ['a short answer at the same time', spoken(['Yes, I do.']), again('Yes, I do.', 200)],
    ['other words of the same time', spoken([garden]), again(call, 0)],
    [
      'a list of similar items',
      spoken(['Item number one. Item number two.']),
      again('Item number three.', 300),
    ],
    ['four syllables of Chinese', spoken(['我们应该']), again('我们应该', 0)],
    ['nothing known', [], spoken([garden, call])],
  ];
  for (const [title, known, texts] of cases)
    t.strictSame(
      left(known, texts),
      texts.map(({ text }) => text),
      title,
    );
  t.strictSame(left(spoken([garden]), []), []);
  t.end();
});

const vocabulary = [
  'yes',
  'no',
  'the',
  'garden',
  'chair',
  'we',
  'buy',
  'sell',
  'Martha',
  'five',
  '椅',
  'don’t',
];
const sentence = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));
const texts = fc.array(
  fc.record({ text: sentence, at: fc.nat(60_000), lasts: fc.integer({ min: 200, max: 6000 }) }),
  { maxLength: 12 },
);
const timed = (given: readonly { text: string; at: number; lasts: number }[]): TimedText[] =>
  given
    .map(({ text, at, lasts }) => ({ text, from: at, to: at + lasts }))
    .sort((one, other) => one.from - other.from);

t.test('marks no word as a duplicate without a counterpart', (t) => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const words = (given: typeof one) => timed(given).flatMap(timedWords);
      const [known, compared] = [words(one), words(other)];
      const { counterparts, evidence, offset } = finish(findDuplicates(known, compared)).result;
      const marked = [...counterparts].flatMap((a, b) => (a === -1 ? [] : [{ a, b }]));
      if (marked.length > 0 && evidence < 4) return false;
      const uses = new Map<number, number>();
      let before = -1;
      for (const { a, b } of marked) {
        uses.set(a, (uses.get(a) ?? 0) + 1);
        const isSame = known[a]!.key === compared[b]!.key;
        // A word that differs between the transcripts may match only if equal words precede and follow it.
        const isInside = marked[0]!.b < b && b < marked.at(-1)!.b;
        const [from, to] = [compared[b]!.from + offset, compared[b]!.to + offset];
        const isThen = to >= known[a]!.from - 1500 && from <= known[a]!.to + 1500;
        if (a < before || uses.get(a)! > 2 || (!isSame && !(isInside && isThen))) return false;
        before = a;
      }
      return true;
    }),
    { numRuns: 2000 },
  );
  t.end();
});

t.test('kept and repeated words together are all words, in order', (t) => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const given = timed(other);
      const { result } = finish(withoutDuplicates(timed(one), given));
      const count = (all: readonly TimedText[]): number => all.flatMap(timedWords).length;
      const isInside = result.kept.every(
        ({ source, text, from, to }) =>
          source.text.includes(text) && from >= source.from && to <= source.to && from <= to,
      );
      return (
        isInside && count(result.kept) + result.repeated === count(given) && result.words === count(given)
      );
    }),
    { numRuns: 1000 },
  );
  t.end();
});

t.test('keeps speech of another time or with other words', (t) => {
  const others = fc.array(fc.constantFrom('moon', 'river', 'stone', 'cloud'), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(texts, texts, others, (one, other, foreign) => {
      const known = timed(one);
      const later = timed(other).map(({ text, from, to }) => ({
        text,
        from: from + 200_000,
        to: to + 200_000,
      }));
      const apart = spoken([foreign.join(' ')]);
      return (
        left(known, later).join('|') === later.map(({ text }) => text).join('|') &&
        left(known, apart).join('|') === apart[0]!.text
      );
    }),
  );
  t.end();
});

t.test('finds duplicates although the clocks differ by up to 2 s', (t) => {
  const words = fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 12, maxLength: 80 });
  fc.assert(
    fc.property(words, fc.integer({ min: -2000, max: 2000 }), (said, shift) => {
      const all = spoken([said.join(' ')]);
      return left(all, spoken([said.join(' ')], shift)).length === 0;
    }),
  );
  t.end();
});

t.test('limits the work for a text that repeats itself', (t) => {
  const many = (count: number): TimedText[] =>
    Array.from({ length: count / 100 }, (_, i) => ({
      text: 'no '.repeat(100).trim(),
      from: i * 20,
      to: i * 20 + 20,
    }));
  /** Returns the CPU time in microseconds, and the number of steps. */
  const cost = (count: number): { steps: number; time: number } => {
    const [known, compared] = [many(count), many(count)];
    const began = process.cpuUsage();
    const { result, steps } = finish(withoutDuplicates(known, compared));
    t.equal(result.words, count);
    return { steps, time: process.cpuUsage(began).user };
  };
  cost(3000);
  const [small, large] = [cost(6000), cost(60_000)];
  const ratio = large.time / Math.max(small.time, 1);
  t.ok(ratio < 60, `ten times the words take ${ratio.toFixed(1)} times as long`);
  t.ok(large.steps > 1000, `in ${large.steps} steps`);
  t.end();
});

t.test('limits memory: keeps words after the limit without a comparison', (t) => {
  const most = fixedLimits.comparedWords.value;
  const texts = Array.from({ length: most / 100 + 10 }, (_, i) => ({
    text: Array.from({ length: 100 }, (_, word) => `w${(i * 100 + word) % 9973}`).join(' '),
    ...{ from: i * 30_000, to: i * 30_000 + 30_000 },
  }));
  const { result } = finish(withoutDuplicates(texts, texts));
  t.equal(result.words, most);
  t.ok(result.isCut);
  const kept = new Set(result.kept.map(({ text }) => text));
  t.ok(
    texts.slice(most / 100).every(({ text }) => kept.has(text)),
    'no word is lost',
  );
  const few = finish(withoutDuplicates(texts.slice(0, 10), texts.slice(0, 10))).result;
  t.notOk(few.isCut);
  t.same(few.kept, []);
  t.end();
});
