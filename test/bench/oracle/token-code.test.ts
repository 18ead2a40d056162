/**
 * Tokens are coded in the lowest bits of speech samples. The reader finds each token once, however the speech is
 * divided into pieces.
 */
import fc from 'fast-check';
import t from 'tap';
import { anchorOf, copySamples, markSpeech, readTokens } from '../../../bench/oracle/token-code.js';
import { spokenOf, tokenOf, tokensIn, wordOf } from '../../../bench/oracle/token-words.js';

const token = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const speech = fc
  .tuple(fc.integer({ min: 3 * copySamples, max: 6000 }), fc.integer())
  .map(([length, seed]) => Int16Array.from({ length }, (_, at) => Math.imul(at + seed, 0x9e3779b1) >> 16));

const joined = (parts: readonly Int16Array[]): Int16Array =>
  Int16Array.from(parts.flatMap((part) => [...part]));

/** Cuts audio into pieces of the given lengths. The lengths are repeated until the audio ends. */
const cutInto = (pcm: Int16Array, lengths: readonly number[]): Int16Array[] => {
  const pieces: Int16Array[] = [];
  for (let at = 0; at < pcm.length; at += lengths[(pieces.length - 1) % lengths.length]!)
    pieces.push(pcm.slice(at, at + lengths[pieces.length % lengths.length]!));
  return pieces;
};

t.test('a mark changes only the lowest bit', async (t) => {
  fc.assert(
    fc.property(speech, token, (pcm, id) =>
      markSpeech(pcm, id).every((sample, at) => sample >> 1 === pcm[at]! >> 1),
    ),
  );
  t.throws(() => markSpeech(new Int16Array(3 * copySamples - 1), 1), RangeError);
});

t.test('each token is reported by one of the pieces that speech is cut into', async (t) => {
  const silence = fc.integer({ min: 1, max: 2000 });
  // A shorter piece may contain no complete copy of a token.
  const lengths = fc.array(fc.integer({ min: 2 * copySamples, max: 9000 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(silence, speech, token), { minLength: 1, maxLength: 5 }),
      lengths,
      (said, sizes) => {
        const ids = said.map(([, , id]) => id);
        const pcm = joined(
          said.flatMap(([pause, spoken, id]) => [new Int16Array(pause), markSpeech(spoken, id)]),
        );
        const found = cutInto(pcm, sizes).flatMap((piece) =>
          readTokens(piece).filter(({ isAnchored }) => isAnchored),
        );
        t.same(
          found.map((part) => part.token),
          ids,
        );
      },
    ),
  );
});

t.test('a piece tells where its speech is', async (t) => {
  const pcm = joined([new Int16Array(500), markSpeech(new Int16Array(4000), 77), new Int16Array(300)]);
  t.same(readTokens(pcm), [{ token: 77, from: 500, to: 4500, isAnchored: true }]);
  const before = pcm.slice(0, 500 + anchorOf(4000));
  t.same(readTokens(before), [{ token: 77, from: 500, to: 2500, isAnchored: false }]);
  t.same(readTokens(pcm.slice(before.length)), [{ token: 77, from: 0, to: 2000, isAnchored: true }]);
});

t.test('speech that was sent twice is reported twice', async (t) => {
  const marked = markSpeech(new Int16Array(4000), 5);
  const found = readTokens(joined([marked, marked]));
  t.same(
    found.map(({ isAnchored }) => isAnchored),
    [true, true],
  );
});

t.test('lost samples do not double a token', async () => {
  const pcm = markSpeech(new Int16Array(8000), 9);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 7999 }),
      fc.integer({ min: copySamples, max: 4000 }),
      (at, length) => {
        const left = joined([pcm.slice(0, at), pcm.slice(at + length)]);
        return readTokens(left).filter(({ isAnchored }) => isAnchored).length <= 1;
      },
    ),
  );
});

t.test('speech without a mark has no token', async () => {
  fc.assert(fc.property(speech, (pcm) => readTokens(pcm).length === 0));
});

t.test('a token has a word, which is found in a text', async (t) => {
  fc.assert(fc.property(token, (id) => tokenOf(spokenOf(id)) === id && tokensIn(wordOf(id))[0] === id));
  t.same(tokensIn('w1-2. Word w3-4 W1-2. w5 x6-7').map(wordOf), ['W1-2.', 'W3-4.', 'W1-2.']);
  t.throws(() => tokenOf({ wearable: 4096, number: 0 }), RangeError);
});
