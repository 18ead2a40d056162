import t from 'tap';
import { speakerModel } from '../../src/models/index.js';
import { reviseVoices, type WindowGroup } from '../../src/transcript/index.js';

const { revision: rule } = speakerModel('ge2e');
const dimensions = 8;

/** A vector of length one that has the given similarity to the axis of its voice, and none to those of the others. */
const spoken = (voice: number, similarity = 1): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[voice] = similarity;
  vector[dimensions - 1] = Math.sqrt(1 - similarity ** 2);
  return vector;
};

/** Windows one after the other: how many, whose they are, what they were taken for, and how clear they are. */
const groups = (
  runs: readonly (readonly [count: number, voice: number, taken: number, similarity?: number])[],
): WindowGroup[] =>
  runs
    .flatMap(([count, voice, taken, similarity]) =>
      Array.from({ length: count }, () => ({ embedding: spoken(voice, similarity), voice: taken })),
    )
    .map((window, index) => ({ ...window, from: index * rule.hop, to: index * rule.hop, count: 1 }));

/** Runs of equal labels. */
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

t.test('what is decided anew', async (t) => {
  const table: readonly {
    readonly what: string;
    readonly windows: readonly WindowGroup[];
    readonly named?: readonly (readonly [number, string])[];
    readonly labels: string;
  }[] = [
    { what: 'nothing', windows: [], labels: '' },
    { what: 'one voice stays one', windows: groups([[40, 0, 3]]), labels: '40x3' },
    {
      what: 'what was right stays as it is, with its numbers',
      windows: groups([
        [40, 1, 7],
        [40, 2, 2],
      ]),
      labels: '40x7 40x2',
    },
    {
      what: 'what was said before a voice was known gets it',
      windows: groups([
        [40, 0, 0],
        [6, 1, 0],
        [40, 0, 0],
        [40, 1, 1],
      ]),
      labels: '40x0 6x1 40x0 40x1',
    },
    {
      what: 'one voice that was taken for two is one, under the older number',
      windows: groups([
        [60, 0, 0],
        [60, 0, 1],
      ]),
      labels: '120x0',
    },
    {
      what: 'a voice of which little was groups is one with a similar one sooner',
      windows: groups([
        [60, 0, 0, 1],
        [20, 0, 1, 0.86],
      ]),
      labels: '80x0',
    },
    {
      what: 'voices that are as similar, of which much was groups, are two',
      windows: groups([
        [60, 0, 0, 1],
        [60, 0, 1, 0.86],
      ]),
      labels: '60x0 60x1',
    },
    {
      what: 'a voice of less than ten windows goes to the others',
      windows: groups([
        [60, 0, 0],
        [9, 1, 1],
        [60, 2, 2],
      ]),
      labels: '69x0 60x2',
    },
    {
      what: 'but for one that a client has named',
      windows: groups([
        [60, 0, 0],
        [9, 1, 1],
        [60, 2, 2],
      ]),
      named: [[1, 'ada']],
      labels: '60x0 9x1 60x2',
    },
    {
      what: 'of two that are one the named number stays',
      windows: groups([
        [60, 0, 0, 1],
        [60, 0, 1, 0.95],
      ]),
      named: [[1, 'ada']],
      labels: '120x1',
    },
    {
      what: 'two that were named as one are one',
      windows: groups([
        [60, 0, 0, 1],
        [60, 0, 1, 0.95],
      ]),
      named: [
        [0, 'ada'],
        [1, 'ada'],
      ],
      labels: '120x0',
    },
    {
      what: 'two that were named as different people are two',
      windows: groups([
        [60, 0, 0, 1],
        [60, 0, 1, 0.95],
      ]),
      named: [
        [0, 'ada'],
        [1, 'user'],
      ],
      labels: '60x0 60x1',
    },
  ];
  for (const { what, windows, named = [], labels } of table) {
    t.equal(runsOf(reviseVoices(windows, rule, new Map(named))), labels, what);
  }
});

t.test('windows that are kept as one count as often as they are', async (t) => {
  const [one, other] = [spoken(0), spoken(1)];
  const few = [one, other].map((embedding, voice) => ({
    embedding,
    from: voice * 5000,
    to: voice * 5000 + 4000,
    count: 17,
    voice,
  }));
  t.same(reviseVoices(few, rule), [0, 1]);
  t.same(reviseVoices([{ ...few[0]!, count: 9 }, few[1]!], rule), [1, 1], 'less than ten windows');
});
