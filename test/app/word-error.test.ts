import t from 'tap';
import { normaliseWords, wordError } from '../../src/app/sample/word-error.js';

t.test('normalises words', async (t) => {
  for (const [text, words] of [
    ['And Mr. John Dashwood', 'and mister john dashwood'],
    ['cold-hearted, and rather selfish;', 'cold hearted and rather selfish'],
    ["don't \u2018stop\u2019 it\u2019s", 'dont stop its'],
    ['  Ca\u0301fé — 42 %  ', 'cáfé 42'],
    ['...', ''],
  ] as const) {
    t.equal(normaliseWords(text).join(' '), words, JSON.stringify(text));
  }
});

t.test('counts substitutions, insertions and deletions', async (t) => {
  for (const [reference, hypothesis, errors, rate] of [
    ['he was not', 'He was not.', 0, 0],
    ['a b c d', 'a x c d', 1, 0.25],
    ['a b c d', 'a b x c d', 1, 0.25],
    ['a b c d', 'a c', 2, 0.5],
    ['a b', '', 2, 1],
    ['', '', 0, 0],
    ['', 'word', 1, 1],
    ['ill-disposed', 'ill disposed', 0, 0],
    ['a', 'b c d', 3, 3],
  ] as const) {
    const result = wordError(reference, hypothesis);
    t.match(result, { errors, rate }, `${reference} / ${hypothesis}`);
  }
});
