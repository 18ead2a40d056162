/**
 * Tests that the judge of `bench language-soak` finds lost, doubled and exchanged texts, and reports no fault in a
 * correct run.
 */
import t from 'tap';
import {
  type Answered,
  judgeStreams,
  type StoredText,
  type StreamRecord,
} from '../../../bench/languages/judge.js';

const english = ['The old gardener waters roses every morning.', 'Nobody saw the train leave the station.'];
const french = [
  'Veuillez composer le numéro de votre correspondant.',
  'La conférence commence dans trois minutes.',
];

/** Length of a sentence in ms. */
const length = 3000;
/** Ms from the beginning of a sentence to the beginning of the next. */
const step = 5000;

const placed = (texts: readonly string[]) =>
  texts.map((text, index) => ({ text, from: index * step, to: index * step + length }));
const base = (texts: readonly string[]): StoredText[] =>
  placed(texts).map((span) => ({ ...span, from: span.from + 200, to: span.to - 100, model: 'whisper-base' }));
const heard = (texts: readonly string[]): Answered[] =>
  placed(texts).map(({ from, to }) => ({ from: from + 100, to: to + 300, hasWords: true }));

const stream = (
  language: string,
  texts: readonly string[],
  changes: Partial<StreamRecord> = {},
): StreamRecord => ({
  name: `${language}-0`,
  language,
  sent: placed(texts),
  stored: base(texts),
  answered: heard(texts),
  conversations: [language],
  ...changes,
});

const changed = (texts: readonly string[], change: (stored: StoredText[]) => StoredText[]) => ({
  stored: change(base(texts)),
});
const both = (en: Partial<StreamRecord> = {}, fr: Partial<StreamRecord> = {}): StreamRecord[] => [
  stream('en', english, en),
  stream('fr', french, fr),
];

/** Counts of faults by kind. */
const countsOf = (streams: readonly StreamRecord[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(judgeStreams(streams).faults).flatMap(([kind, found]) =>
      found.length === 0 ? [] : [[kind, found.length]],
    ),
  );

t.test('each kind of fault is found, and nothing else', async (t) => {
  const [first, second] = base(english) as [StoredText, StoredText];
  const cases: readonly [name: string, streams: readonly StreamRecord[], faults: Record<string, number>][] = [
    ['all right', both(), {}],
    [
      'other models of English',
      both(changed(english, (all) => all.map((one) => ({ ...one, model: 'whisper-tiny.en' })))),
      {},
    ],
    [
      'some words misheard',
      both(
        changed(english, ([, b]) => [
          { ...first, text: 'The old gardener what his roses every mourning.' },
          b!,
        ]),
      ),
      {},
    ],
    [
      'a sentence in two segments',
      both({
        stored: [
          { ...first, to: 1400, text: 'The old gardener' },
          { ...first, from: 1500, text: 'waters roses every morning.' },
          second,
        ],
      }),
      {},
    ],
    [
      'two sentences joined into one segment',
      both({ stored: [{ ...first, to: second.to, text: english.join(' ') }] }),
      {},
    ],
    ['a sentence misheard as few words', both({ stored: [{ ...first, text: 'Told.' }, second] }), {}],
    [
      'joined sentences, one misheard',
      both({ stored: [{ ...first, to: second.to, text: `${english[0]} No one so a train live.` }] }),
      {},
    ],
    ['a lost sentence whose text arrived', both(changed(english, ([a]) => [a!])), { lost: 2 }],
    ['a lost sentence', both({ stored: [first], answered: heard(english).slice(0, 1) }), { lost: 1 }],
    ['a lost sentence in a joined segment', both({ stored: [{ ...first, to: second.to }] }), { lost: 1 }],
    ['nothing stored', both({ stored: [], answered: [] }), { lost: 2 }],
    [
      'a sentence without speech for the model',
      both({
        stored: [first],
        answered: heard(english).map((one, index) => ({ ...one, hasWords: index === 0 })),
      }),
      {},
    ],
    ['a doubled segment', both({ stored: [first, first, second] }), { doubled: 2 }],
    [
      'a doubled text in a segment',
      both({ stored: [{ ...first, text: `${first.text} ${first.text}` }, second] }),
      { doubled: 1 },
    ],
    [
      'a doubled text with other times',
      both({ stored: [first, { ...first, from: 3000, to: 4900 }, second] }),
      { invented: 1 },
    ],
    ['exchanged streams', both({ stored: base(french) }, { stored: base(english) }), { foreign: 4 }],
    [
      'a foreign text beside the own text',
      both({ stored: [first, { ...second, text: `${second.text} ${french[0]}` }] }),
      { foreign: 1 },
    ],
    [
      'an English model in French',
      both(
        {},
        changed(french, ([a, b]) => [{ ...a!, model: 'whisper-tiny.en' }, b!]),
      ),
      { model: 1 },
    ],
    [
      'a text without a model',
      both(
        {},
        changed(french, ([a, b]) => [{ ...a!, model: null }, b!]),
      ),
      { model: 1 },
    ],
    ['a conversation in another language', both({}, { conversations: ['fr', 'en'] }), { language: 1 }],
    [
      'text in silence',
      both({ stored: [first, second, { ...second, from: 9000, to: 9500, text: 'Thanks.' }] }),
      { invented: 1 },
    ],
  ];
  for (const [name, streams, faults] of cases) t.same(countsOf(streams), faults, name);
});

t.test('words of faults are counted', async (t) => {
  const [first] = base(english) as [StoredText];
  const lost = judgeStreams(both({ stored: [first], answered: [] }));
  t.equal(lost.wordsLost, 7);
  const doubled = judgeStreams(
    both({ stored: [{ ...first, text: `${first.text} ${first.text}` }], answered: [] }),
  );
  t.equal(doubled.wordsDoubled, 7);
  const silent = heard(english).map((one) => ({ ...one, hasWords: false }));
  t.equal(judgeStreams(both({ stored: [], answered: silent })).unheard, 2);
});

t.test('a fault has the stream and the time, and no text', async (t) => {
  const { faults } = judgeStreams(both({ stored: [], answered: [] }));
  t.same(faults.lost, ['en-0 at 0.0 s: a sentence is not stored', 'en-0 at 5.0 s: a sentence is not stored']);
});
