/** Tests the lists, the counts and the rows of `bench keywords`. */
import t from 'tap';
import { keywordsCommand } from '../../bench/commands/speech/keywords.js';
import { lists, listsOf } from '../../bench/keywords/lists.js';
import type { ReadSentence } from '../../bench/keywords/material.js';
import { countsOf, differenceInterval, recallOf, wordErrorOf } from '../../bench/keywords/score.js';
import { inBand } from '../../bench/keywords/transcriber.js';
import { runKeywords } from '../../bench/suites/speech/keywords.js';

const sentence = (name: string, text: string, ...rare: string[]): ReadSentence => ({
  name,
  text,
  rare,
  listed: [...rare, ...Array.from({ length: 98 }, (_, index) => `further${name}${index}`)],
  load: async () => new Int16Array(16_000),
});
const sentences = [
  sentence('a', 'the tall steeple fell', 'steeple'),
  sentence('b', 'she saw a heron', 'heron', 'steeple'),
  ...Array.from({ length: 20 }, (_, index) => sentence(`c${index}`, `word${index} here`, `word${index}`)),
];

t.test('lists with and without spoken words', async (t) => {
  for (const one of sentences.slice(0, 3)) {
    const made = listsOf(one, sentences);
    t.strictSame(Object.keys(made), [...lists]);
    const isSpoken = (word: string): boolean => one.text.includes(word);
    t.strictSame(made.none, []);
    t.equal(made['ten, spoken'].length, 10);
    t.ok(one.rare.every((word) => made['ten, spoken'].includes(word)));
    for (const [list, count] of [
      ['ten, unspoken', 10],
      ['hundred, unspoken', 100],
    ] as const) {
      t.equal(new Set(made[list]).size, count);
      t.notOk(made[list].some(isSpoken));
    }
    t.strictSame(listsOf(one, sentences), made, 'the same each time');
  }
});

t.test('counts and intervals', async (t) => {
  const counts = countsOf('the tall steeple fell', ['steeple', 'tall'], 'The tall Steepel fell.');
  t.strictSame(counts, { words: 4, errors: 1, rare: 2, found: 1 });
  t.equal(wordErrorOf([counts, counts]), 0.25);
  t.equal(recallOf([counts]), 0.5);
  t.equal(recallOf([]), 0);
  const right = { ...counts, errors: 0, found: 2 };
  t.strictSame(differenceInterval([right, right], [counts, counts], wordErrorOf), [-0.25, -0.25]);
  const [low, high] = differenceInterval([right, counts, counts], [counts, counts, counts], recallOf);
  t.ok(low === 0 && high > 0.3 && high <= 0.5, `${low} to ${high}`);
});

t.test('audio of 8 kHz has no higher tones', async (t) => {
  const tone = (hertz: number): Int16Array =>
    Int16Array.from(
      { length: 16_000 },
      (_, index) => 9000 * Math.sin((2 * Math.PI * hertz * index) / 16_000),
    );
  const power = (pcm: Int16Array): number => pcm.reduce((sum, one) => sum + one * one, 0);
  t.equal(inBand(tone(6000), '16 kHz').length, 16_000);
  t.equal(inBand(tone(6000), '8 kHz').length, 16_000);
  t.ok(power(inBand(tone(6000), '8 kHz')) < 0.01 * power(tone(6000)));
  t.ok(power(inBand(tone(1000), '8 kHz')) > 0.9 * power(tone(1000)));
});

t.test('a row for each half and list', async (t) => {
  const told: string[] = [];
  const { results } = await runKeywords({
    sentences: sentences.slice(0, 2),
    models: [
      {
        name: 'm',
        load: async () => async (_, keywords) => ({
          text: keywords.includes('heron') ? 'she saw a heron' : 'she saw a hero',
          trials: keywords.length > 0 ? 1 : 0,
          cpu: keywords.length > 0 ? 3 : 2,
        }),
      },
    ],
    bands: ['16 kHz'],
    tell: (line) => told.push(line),
  });
  t.strictSame(told, ['m, 16 kHz: 2 sentences']);
  const both = results.filter(({ mode }) => String(mode).endsWith('both'));
  t.strictSame(
    both.map(({ mode, cpu_ratio, second_decodes, words, rare_words }) => [
      mode,
      cpu_ratio,
      second_decodes,
      words,
      rare_words,
    ]),
    [
      ['none; both', 1, 0, 8, 3],
      ['ten, spoken; both', 1.5, 1, 8, 3],
      ['ten, unspoken; both', 1.5, 1, 8, 3],
      ['hundred, unspoken; both', 1.5, 1, 8, 3],
    ],
  );
  t.equal(both[0]!.rare_word_recall, 0);
  t.ok(both[1]!.rare_word_recall! > 0.3);
  t.ok(both[1]!.word_error! < both[0]!.word_error!);
});

t.test('another kind of audio than those is refused', async (t) => {
  const quiet = keywordsCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  await t.rejects(quiet.parseAsync(['--band', '4 kHz'], { from: 'user' }), {
    message: /Allowed choices are 16 kHz, 8 kHz/,
  });
});
