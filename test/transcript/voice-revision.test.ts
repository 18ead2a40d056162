import t from 'tap';
import { speakerModel } from '../../src/models/speaker-model.js';
import type { WindowGroup } from '../../src/transcript/voice-path.js';
import { reviseVoices } from '../../src/transcript/voice-revision.js';

const { revision: rule } = speakerModel('ge2e');
const dimensions = 512;
/** Similarity of a window to the mean of its person, as in real data. */
const clarity = 0.85;

/**
 * Returns a window of a person as a unit vector. Besides the direction of the person, it has a direction that no other window has.
 * @param similarity similarity of the person to the first person.
 */
const spoken = (person: number, window: number, similarity = 0): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[0] = clarity * (person === 0 ? 1 : similarity);
  if (person > 0) vector[person] = clarity * Math.sqrt(1 - similarity ** 2);
  vector[10 + window] = Math.sqrt(1 - clarity ** 2);
  return vector;
};

/**
 * Returns consecutive windows. Each run gives their number, their person, their current label, and the person's similarity to the first
 * person.
 */
const groups = (
  runs: readonly (readonly [count: number, person: number, taken: number, similarity?: number])[],
): WindowGroup[] =>
  runs
    .flatMap(([count, person, voice, similarity]) =>
      Array.from({ length: count }, () => ({ person, voice, similarity })),
    )
    .map(({ person, voice, similarity }, index) => {
      const at = index * rule.hop;
      return { embedding: spoken(person, index, similarity), voice, from: at, to: at, count: 1 };
    });

/** Returns runs of equal labels as text. */
const runsOf = (labels: readonly number[]): string =>
  labels
    .reduce<[number, number][]>((runs, label) => {
      const last = runs.at(-1);
      if (last?.[0] === label) last[1]++;
      else runs.push([label, 1]);
      return runs;
    }, [])
    .map(([label, count]) => `${count}x${label}`)
    .join(' ');

t.test('revises the labels of all windows', async (t) => {
  const table: readonly {
    readonly what: string;
    readonly windows: readonly WindowGroup[];
    readonly named?: readonly (readonly [number, string])[];
    readonly labels: string;
  }[] = [
    { what: 'no windows', windows: [], labels: '' },
    { what: 'one voice stays one', windows: groups([[40, 0, 3]]), labels: '40x3' },
    {
      what: 'right labels stay, with their numbers',
      windows: groups([
        [40, 1, 7],
        [40, 2, 2],
      ]),
      labels: '40x7 40x2',
    },
    {
      what: 'earlier speech of a voice gets its label',
      windows: groups([
        [40, 0, 0],
        [6, 1, 0],
        [40, 0, 0],
        [40, 1, 1],
      ]),
      labels: '40x0 6x1 40x0 40x1',
    },
    {
      what: 'one voice with two labels gets the older one',
      windows: groups([
        [60, 0, 0],
        [60, 0, 1],
      ]),
      labels: '120x0',
    },
    {
      what: 'a voice with little speech is merged with a similar one more easily',
      windows: groups([
        [60, 0, 0],
        [20, 1, 1, 0.82],
      ]),
      labels: '80x0',
    },
    {
      what: 'equally similar voices with much speech stay two',
      windows: groups([
        [90, 0, 0],
        [90, 1, 1, 0.82],
      ]),
      labels: '90x0 90x1',
    },
    {
      what: 'more similar voices stay two if a third person speaks',
      windows: groups([
        [90, 0, 0],
        [90, 1, 1, 0.89],
        [60, 2, 2],
      ]),
      labels: '90x0 90x1 60x2',
    },
    {
      what: 'more similar voices are merged if no third person speaks',
      windows: groups([
        [90, 0, 0],
        [90, 1, 1, 0.89],
      ]),
      labels: '180x0',
    },
    {
      what: 'two people with one label are split, and the one with more speech keeps it',
      windows: groups([
        [40, 1, 3, 0.8],
        [70, 0, 3],
        [30, 1, 3, 0.8],
        [40, 0, 3],
      ]),
      labels: '40x4 70x3 30x4 40x3',
    },
    {
      what: 'three people with one label are split, and a person with another label keeps it',
      windows: groups([
        [70, 0, 0],
        [60, 2, 1],
        [60, 1, 0, 0.8],
        [50, 3, 0, 0.7],
      ]),
      labels: '70x0 60x1 60x3 50x2',
    },
    {
      what: 'a named label stays with the person with most speech',
      windows: groups([
        [40, 1, 0, 0.6],
        [70, 0, 0],
      ]),
      named: [[0, 'ada']],
      labels: '40x1 70x0',
    },
    {
      what: 'too little speech gives no second voice',
      windows: groups([
        [12, 1, 0],
        [60, 0, 0],
      ]),
      labels: '72x0',
    },
    {
      what: 'a voice with fewer than ten windows is merged',
      windows: groups([
        [60, 0, 0],
        [9, 1, 1],
        [60, 2, 2],
      ]),
      labels: '69x0 60x2',
    },
    {
      what: 'a named voice with fewer than ten windows stays',
      windows: groups([
        [60, 0, 0],
        [9, 1, 1],
        [60, 2, 2],
      ]),
      named: [[1, 'ada']],
      labels: '60x0 9x1 60x2',
    },
    {
      what: 'two merged voices get the named label',
      windows: groups([
        [60, 0, 0],
        [60, 1, 1, 0.95],
      ]),
      named: [[1, 'ada']],
      labels: '120x1',
    },
    {
      what: 'two voices with the same name are merged',
      windows: groups([
        [60, 0, 0],
        [60, 1, 1, 0.95],
      ]),
      named: [
        [0, 'ada'],
        [1, 'ada'],
      ],
      labels: '120x0',
    },
    {
      what: 'two voices with different names stay two',
      windows: groups([
        [60, 0, 0],
        [60, 1, 1, 0.95],
      ]),
      named: [
        [0, 'ada'],
        [1, 'user'],
      ],
      labels: '60x0 60x1',
    },
  ];
  for (const { what, windows, named = [], labels } of table) {
    t.equal(runsOf(reviseVoices(windows, rule, { named: new Map(named) })), labels, what);
  }
});

t.test('splits no voice when the maximum number of voices is reached', async (t) => {
  const two = groups([
    [70, 0, 0],
    [50, 1, 0],
  ]);
  t.equal(runsOf(reviseVoices(two, { ...rule, voices: 1 })), '120x0');
  t.equal(runsOf(reviseVoices(two, { ...rule, voices: 2 }, { next: 9 })), '70x0 50x9', 'the number is given');
});

t.test('counts a joined window as often as the windows that it replaces', async (t) => {
  const few = [0, 1].map((voice) => ({
    embedding: spoken(voice, voice),
    from: voice * 5000,
    to: voice * 5000 + 4000,
    count: 17,
    voice,
  }));
  t.same(reviseVoices(few, rule), [0, 1]);
  t.same(reviseVoices([{ ...few[0]!, count: 9 }, few[1]!], rule), [1, 1], 'less than ten windows');
});
