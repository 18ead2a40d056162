/**
 * Tests the current language of a stream with `language=multi`: when it changes, and which language each utterance
 * gets.
 */
import fc from 'fast-check';
import t from 'tap';
import { StreamLanguage } from '../../../src/engine/transcription/stream-language.js';

type Said = readonly [seconds: number, shares: Readonly<Record<string, number>>];

/**
 * Returns the language of each utterance. If the stream's language after the utterance differs, adds it: "fr in en".
 */
const hear = (languages: readonly string[], said: readonly Said[]): string[] => {
  const stream = new StreamLanguage(languages);
  return said.map(([seconds, shares]) => {
    const own = stream.detect({ shares: new Map(Object.entries(shares)), seconds });
    return own === stream.current ? own : `${own} in ${stream.current}`;
  });
};

t.test('the language changes when enough speech shows another one', async (t) => {
  const fr = { en: 0.05, fr: 0.95 };
  const en = { en: 0.95, fr: 0.05 };
  for (const [name, said, languages] of [
    ['one long utterance', [[4, fr]], ['fr']],
    ['a short utterance does not suffice', [[3.9, fr]], ['en']],
    [
      'two short utterances',
      [
        [2, fr],
        [2, fr],
      ],
      ['en', 'fr'],
    ],
    [
      'evidence for the current language discards the evidence for another',
      [
        [3, fr],
        [4, en],
        [3, fr],
        [1, fr],
      ],
      ['en', 'en', 'en', 'fr'],
    ],
    [
      'and a little of it only weakens the evidence',
      [
        [3, fr],
        [0.5, en],
        [3, fr],
      ],
      ['en', 'en', 'fr'],
    ],
    [
      'improbable speech does not suffice, however long it is',
      [
        [20, { en: 0.3, fr: 0.7 }],
        [20, { en: 0.3, fr: 0.7 }],
      ],
      ['en', 'en'],
    ],
    ['a language outside the candidates does not count', [[6, { de: 0.9, fr: 0.09, en: 0.01 }]], ['fr']],
    ['nor does speech whose languages are unknown', [[6, {}]], ['en']],
    [
      'the way back is the same',
      [
        [5, fr],
        [2, en],
        [2, en],
        [2, fr],
      ],
      ['fr', 'fr', 'en', 'en'],
    ],
    [
      'older evidence does not outweigh new speech',
      [
        [60, { en: 0.4, fr: 0.6 }],
        [12, { en: 0.02, fr: 0.98 }],
      ],
      ['en', 'fr'],
    ],
  ] as const)
    t.strictSame(hear(['en', 'fr'], said), languages, name);
  t.strictSame(hear(['fr'], [[9, en]]), ['fr'], 'a single candidate');
  t.equal(new StreamLanguage(['fr']).detect({ shares: undefined, seconds: 9 }), 'fr', 'no probabilities');
  t.strictSame(
    hear(['en', 'fr'], [
      [3.5, fr],
      [1, en],
      [4, fr],
    ] as const),
    ['en', 'en', 'fr'],
    'an utterance that changes the language is in the new one',
  );
});

const candidates = ['en', 'fr', 'de', 'es'] as const;
const shares = fc.record(
  Object.fromEntries(candidates.map((code) => [code, fc.double({ min: 0, max: 1, noNaN: true })])),
);
const speech = fc.array(fc.tuple(fc.double({ min: 0.1, max: 30, noNaN: true }), shares), { maxLength: 40 });

t.test('two changes are at least 4 s of speech apart, and each goes to a candidate', async () => {
  fc.assert(
    fc.property(speech, (said) => {
      const stream = new StreamLanguage(candidates);
      let since = 0;
      for (const [seconds, each] of said) {
        const before = stream.current;
        since += seconds;
        const own = stream.detect({ shares: new Map(Object.entries(each)), seconds });
        const isKnown = [own, stream.current].every((code) =>
          (candidates as readonly string[]).includes(code),
        );
        const isShort = seconds < 4 && own !== stream.current;
        if (!isKnown || isShort || (stream.current !== before && since < 4)) return false;
        if (stream.current !== before) since = 0;
      }
      return true;
    }),
  );
});

t.test('speech in one language never leaves it, and always reaches it', async () => {
  const clear = fc.array(
    fc.tuple(fc.double({ min: 0.3, max: 15, noNaN: true }), fc.double({ min: 0.81, max: 1, noNaN: true })),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(clear, fc.constantFrom(...candidates), (said, code) => {
      const stream = new StreamLanguage(candidates);
      let spoken = 0;
      for (const [seconds, share] of said) {
        const rest = (1 - share) / (candidates.length - 1);
        const each = new Map(candidates.map((one) => [one as string, one === code ? share : rest]));
        stream.detect({ shares: each, seconds });
        spoken += seconds;
        if (spoken >= 4 && stream.current !== code) return false;
        if (spoken < 4 && stream.current !== code && stream.current !== 'en') return false;
      }
      return true;
    }),
  );
});
