/** Tests which tokens are tried as replacements, which replacements are accepted, and the times of the new tokens. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { loadSettings } from '../../../../src/config/load-settings.js';
import { findModel } from '../../../../src/models/directory.js';
import { ensureModel, modelOptions } from '../../../../src/models/ensure.js';
import { whisperTokens } from '../../../../src/models/tokens.js';
import { nearWords } from '../../../../src/stt/whisper/keywords/near-words.js';
import { replaced } from '../../../../src/stt/whisper/keywords/replaced.js';
import { textWords } from '../../../../src/stt/whisper/keywords/text-words.js';
import { TokenEncoder } from '../../../../src/stt/whisper/keywords/token-encoder.js';
import { accepted, type Trial, trialsOf } from '../../../../src/stt/whisper/keywords/trials.js';

const model = findModel('whisper-tiny.en').recogniser!;
const { files } = await ensureModel('whisper-tiny.en', modelOptions(loadSettings().values));
const vocabulary = whisperTokens(readFileSync(files[model.vocabulary]!, 'utf8'), model);
const encoder = new TokenEncoder(vocabulary);
const { end } = model.tokens;

/** Returns a text of the model whose tokens all have a log probability. */
const textOf = (text: string, likelihood: number) => {
  const ids = encoder.encode(text)!;
  return {
    ids,
    tokens: ids.map((id) => Buffer.from(vocabulary[id]!).toString()),
    likelihoods: [...ids.map(() => likelihood), likelihood],
  };
};

t.test('a text becomes tokens', async (t) => {
  t.strictSame(encoder.encode(' hello world'), [23748, 995], 'those of GPT-2');
  t.strictSame(encoder.encode(" it's"), [340, 338]);
  t.strictSame(encoder.encode(''), []);
  t.equal(new TokenEncoder([Buffer.from('a')]).encode('ab'), undefined, 'a byte is missing');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (text) => {
      const ids = encoder.encode(text)!;
      return Buffer.concat(ids.map((id) => vocabulary[id]!)).toString() === text;
    }),
  );
});

t.test('trials of near words', async (t) => {
  const text = textOf(' I saw Jameson there.', -1);
  t.strictSame(trialsOf(text, ['apomorphine'], encoder, end), [], 'nothing is near');
  const [trial] = trialsOf(text, ['Jamieson', 'apomorphine'], encoder, end);
  const { from, to, replacement, judged } = trial!;
  t.equal(text.tokens.slice(from, to).join(''), ' Jameson');
  t.strictSame(replacement, encoder.encode(' Jamieson'));
  t.strictSame(judged, [...replacement, ...text.ids.slice(to), end], 'what follows, and the end');
  t.equal(trial!.least, -(to - from) - 3 - 6, 'of the old tokens, those after them and the end, less six');

  const long = textOf(' Jameson and some other words stand behind', -1);
  t.equal(trialsOf(long, ['Jamieson'], encoder, end)[0]!.judged.length, replacement.length + 4);
  const cut = { ...text, likelihoods: text.likelihoods.slice(0, -1) };
  t.notOk(trialsOf(cut, ['Jamieson'], encoder, end)[0]!.judged.includes(end), 'a text without an end');
  const small = trialsOf(text, ['jamieson'], encoder, end).map((one) => one.replacement);
  t.strictSame(small.slice(0, 2), [encoder.encode(' jamieson'), encoder.encode(' Jamieson')]);
  const quoted = textOf(' a "Jameson" b', -1);
  t.strictSame(trialsOf(quoted, ['Jamieson'], encoder, end)[0]!.replacement, encoder.encode('Jamieson'));
});

t.test('a keyword of many tokens is not tried', async (t) => {
  const text = textOf(' I saw Anna there.', -1);
  const trials = (symbols: number) => trialsOf(text, [`Hanna${'\u{1f9ed}'.repeat(symbols)}`], encoder, end);
  t.equal(trials(2).length, 1);
  t.strictSame(trials(40), []);
  t.strictSame(
    nearWords(textWords(text.tokens), [`Hanna${'\u{1d160}'.repeat(40)}`]),
    [],
    'three characters each',
  );
});

t.test('sure words and forms of the same word need better evidence', async (t) => {
  const change = (text: string, likelihood: number, keyword: string): number => {
    const all = textOf(text, likelihood);
    const { from, to, least } = trialsOf(all, [keyword], encoder, end)[0]!;
    return least - all.likelihoods.slice(from, to + 4).reduce((sum, one) => sum + one, 0);
  };
  const near = (actual: number, expected: number, name: string): void => {
    t.ok(Math.abs(actual - expected) < 1e-9, `${name}: ${actual}`);
  };
  near(change(' I saw Jameson there', -1, 'Jamieson'), -6, 'usual');
  near(change(' I saw Jameson there', -0.1, 'Jamieson'), -3.5, 'sure');
  near(change(' he recited it', -1, 'recite'), -3.5, 'another form');
  near(change(' said shopy to me', -0.1, 'shoppy'), -8, 'the same sound');
});

const trial = (from: number, to: number, least: number): Trial => ({
  from,
  to,
  least,
  replacement: [1],
  judged: [1, 2],
});

t.test('accepted trials', async (t) => {
  const some = [trial(4, 6, -5), trial(0, 2, -5), trial(1, 3, -5), trial(7, 8, -5)];
  const judgements = [
    [-2, -3],
    [-2, -2],
    [-1, -2],
    [-5, -1],
  ];
  t.strictSame(accepted(some, judgements), [some[2], some[0]], 'the best of two that overlap, in order');
  t.strictSame(accepted([], []), []);
});

t.test('new tokens have the time of the old ones', async (t) => {
  const text = { ids: [10, 11, 12, 13], timestamps: [0, 1, 2, 3], durations: [1, 1, 1, 1] };
  t.strictSame(replaced(text, []), text);
  t.strictSame(
    replaced(text, [
      { from: 0, to: 1, replacement: [20, 21] },
      { from: 2, to: 4, replacement: [22] },
    ]),
    { ids: [20, 21, 11, 22], timestamps: [0, 0.5, 1, 2], durations: [0.5, 0.5, 1, 2] },
  );
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 10 }),
      fc.nat(9),
      (counts, at) => {
        const ids = counts.map((_, index) => index);
        const times = { ids, timestamps: ids, durations: ids.map(() => 1) };
        const from = at % ids.length;
        const made = replaced(times, [{ from, to: from + 1, replacement: counts }]);
        const total = made.durations.reduce((sum, one) => sum + one, 0);
        return made.ids.length === made.timestamps.length && Math.abs(total - ids.length) < 1e-9;
      },
    ),
  );
});
