/** Tests the counts of `bench words`: when a word appeared and stayed, and which words were revised. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { wordsCommand } from '../../../bench/commands/words.js';
import { readingOf, type SpokenWord } from '../../../bench/words/material.js';
import { lagsOf, matched } from '../../../bench/words/shown-words.js';
import { bench } from '../../support/bench-command.js';

const list = (text: string): string[] => text.split(' ').filter((word) => word !== '');

t.test('words that two texts have in common', async (t) => {
  for (const [a, b, pairs] of [
    ['', 'a', []],
    [
      'a b c',
      'a b c',
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    ],
    [
      'a x c',
      'a y c',
      [
        [0, 0],
        [2, 2],
      ],
    ],
    [
      'a b c d',
      'a d',
      [
        [0, 0],
        [3, 1],
      ],
    ],
    [
      'a a a',
      'a a',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    // Later words repeat the shown text without its first word.
    [
      'b c',
      'a b c d a b c',
      [
        [0, 1],
        [1, 2],
      ],
    ],
    [
      'x a b y',
      'a b',
      [
        [1, 0],
        [2, 1],
      ],
    ],
  ] as const)
    t.same(matched(list(a), list(b)), pairs, `${a} | ${b}`);
});

t.test('lags and revisions', async (t) => {
  const spokenWords = (said: string): SpokenWord[] =>
    list(said).map((word, index) => ({ word, end: 1000 * (index + 1), last: index % 2 === 1 }));
  for (const { title, said = 'one two three four', shown, ...expected } of [
    {
      title: 'as they come',
      shown: { 2500: 'one two', 5000: 'one two three four' },
      lags: [1500, 500, 2000, 1000],
      revisions: 0,
      textLags: [500, 1000],
    },
    {
      title: 'a word that is corrected is late',
      shown: { 2500: 'one too', 5000: 'one two three four' },
      lags: [1500, 3000, 2000, 1000],
      revisions: 1,
      textLags: [3000, 1000],
    },
    {
      title: 'one that is taken back begins anew',
      shown: { 2000: 'one two', 2500: '', 3000: 'one two' },
      lags: [2000, 1000],
      revisions: 2,
      textLags: [1000],
    },
    {
      title: 'a word that never comes has no lag',
      shown: { 5000: 'one three' },
      lags: [4000, 2000],
      revisions: 0,
      textLags: [3000, 1000],
    },
    {
      title: 'a word is not one that is spoken later',
      said: 'one two three one too three',
      shown: { 3500: 'one too three', 5000: 'one two three', 7000: 'one two three one too three' },
      lags: [2500, 3000, 500, 3000, 2000, 1000],
      revisions: 1,
      textLags: [3000, 3000, 1000],
    },
    { title: 'nothing', shown: {}, lags: [], revisions: 0, textLags: [] },
  ]) {
    const texts = Object.entries(shown).map(([at, text]) => ({ at: Number(at), words: list(text) }));
    const { words: _, ...found } = lagsOf(spokenWords(said), texts);
    t.same(found, expected, title);
  }
});

t.test('since when other words, or none, were shown in the place of a word', async (t) => {
  const spoken = list('one two three four').map((word, index) => ({
    word,
    end: 1000 * (index + 1),
    last: false,
  }));
  const never = Number.POSITIVE_INFINITY;
  for (const { title, shown, covered } of [
    {
      title: 'words that stay',
      shown: { 2500: 'one two', 5000: 'one two three four' },
      covered: [never, never, never, never],
    },
    {
      title: 'a word with another form',
      shown: { 2500: 'one too', 3500: 'one too three', 5000: 'one two three four' },
      covered: [never, 2500, never, never],
    },
    {
      title: 'a word that was left out',
      shown: { 2500: 'two', 5000: 'one two three four' },
      covered: [2500, never, never, never],
    },
    {
      title: 'two words with other forms at the end of a text',
      shown: { 3200: 'one too tree', 5000: 'one two three four' },
      covered: [never, 3200, 3200, never],
    },
    {
      title: 'a word that was taken back',
      shown: { 2500: 'one two', 3000: 'one', 5000: 'one two three four' },
      covered: [never, 2500, never, never],
    },
  ]) {
    const texts = Object.entries(shown).map(([at, text]) => ({ at: Number(at), words: list(text) }));
    t.same(
      lagsOf(spoken, texts).words.map((word) => word.covered),
      covered,
      title,
    );
  }
});

t.test('the reading is what it says, whole, and the same for the same seed', async (t) => {
  const [one, again, other] = await Promise.all([readingOf(10, 3), readingOf(10, 3), readingOf(10, 4)]);
  t.same(one.words, again.words);
  t.not(one.words[0]!.word, other.words[0]!.word);
  t.ok(one.pcm.length >= 10 * one.rate);
  let before = 0;
  for (const { end } of one.words) {
    t.ok(end > before && end * (one.rate / 1000) <= one.pcm.length);
    before = end;
  }
});

t.test('what cannot be measured is refused', async (t) => {
  const quiet = wordsCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  await t.rejects(quiet.parseAsync(['--pauses', '500,150'], { from: 'user' }), {
    message: /smaller one first/,
  });
  await t.rejects(quiet.parseAsync(['--streams', '1,0'], { from: 'user' }), {
    message: /--streams .* whole number above 0/,
  });
});

t.test('a peer that cannot run is named before anything starts, and nothing passes', async (t) => {
  const peer = ['words', '--peer', 'faster-whisper'];
  const { code, out } = await bench(peer, { PATH: '/nowhere' });
  t.match(out, /not measured: faster-whisper: python3 is missing/);
  t.equal(code, 1);
  // A Python program in a folder that only its owner can read, like root's home. The service decodes as a different
  // user.
  const folder = t.testdir();
  const python = join(folder, 'python3');
  await writeFile(python, '#!/bin/sh\necho "$0"\n', { mode: 0o700 });
  await t.test('as another user', { skip: process.getuid?.() === 0 ? false : 'needs root' }, async (t) => {
    const { code, out, error } = await bench(peer, { PATH: `${folder}:${process.env.PATH}` });
    if (/run as root/.test(error))
      return t.pass('no other user', { skip: 'the checkout is closed to others' });
    t.match(
      out,
      /not measured: faster-whisper: the service decodes as \S+, who cannot run \S+python3 .*EACCES/,
    );
    t.match(out, /first in PATH/);
    t.equal(code, 1);
  });
});
