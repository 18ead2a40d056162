/** Tests both gates with one set of vectors, and compares them with each other on random input. */
import fc from 'fast-check';
import t from 'tap';
import { CoreEvent, type GateOptions, windowSamples } from '../../../src/audio/interface/core.js';
import { Gate, type GateEvent } from '../../../src/audio/portable/gate.js';
import { endSteps, mostEndSteps } from '../../../src/config/settings/gate.js';
import { usualGate } from '../../../src/wire/gate.js';
import { gateOptions, native, withoutNative } from '../support.js';

/**
 * Plays probabilities to a gate. `lingers` has 1 for each window at which the gate lingers, so that only a long silence
 * ends an utterance. Without `lingers`, the gate never lingers.
 */
type Play = (options: GateOptions, probabilities: Float32Array, lingers?: Uint8Array) => GateEvent[];

const portable: Play = (options, probabilities, lingers) => {
  const gate = new Gate(options);
  const events = [...probabilities].flatMap((p, window) => {
    if (lingers !== undefined) gate.lingers = lingers[window] === 1;
    return gate.step(p);
  });
  return [...events, ...gate.flush(gate.position)];
};

const gates: [string, Play][] = [['portable', portable]];
if ('addon' in native) {
  const { addon } = native;
  gates.push([
    'native',
    (options, probabilities, lingers) => {
      const rows = addon.probeGate(options, probabilities, lingers);
      return Array.from({ length: rows.length / 7 }, (_, i) => {
        const [kind, first, last, speechStart, speechEnd, cut, probability] = rows.subarray(7 * i, 7 * i + 7);
        return { kind, first, last, speechStart, speechEnd, cut: cut === 1, probability } as GateEvent;
      });
    },
  ]);
} else {
  t.pass('the native gate', { skip: native.missing });
}

/** Each entry: number of windows, and their speech probability. */
type Runs = readonly (readonly [windows: number, probability: number])[];
const expand = (runs: Runs): Float32Array =>
  Float32Array.from(runs.flatMap(([count, p]) => new Array<number>(count).fill(p)));

const endSchedule = endSteps('2000:450,4000:300,6000:200,8000:150')!;

/** Utterances as [first, last, speechStart, speechEnd, cut], in samples. */
const vectors: { title: string; runs: Runs; options?: Partial<GateOptions>; utterances: unknown[] }[] = [
  { title: 'silence', runs: [[500, 0.01]], utterances: [] },
  { title: 'below the onset', runs: [[100, 0.4999]], utterances: [] },
  {
    title: 'a blip of 224 ms',
    runs: [
      [10, 0],
      [7, 0.9],
      [60, 0],
    ],
    utterances: [],
  },
  {
    title: '256 ms are enough',
    runs: [
      [10, 0],
      [8, 0.9],
      [60, 0],
    ],
    utterances: [[320, 14_016, 5120, 9216, false]],
  },
  {
    title: 'at the start of the stream',
    runs: [
      [20, 0.9],
      [60, 0],
    ],
    utterances: [[0, 15_040, 0, 10_240, false]],
  },
  {
    title: 'a pause of 576 ms',
    runs: [
      [20, 0.9],
      [18, 0],
      [20, 0.9],
      [60, 0],
    ],
    utterances: [[0, 34_496, 0, 29_696, false]],
  },
  {
    title: 'a pause of 608 ms; what lies between is handed out once',
    runs: [
      [20, 0.9],
      [19, 0],
      [20, 0.9],
      [60, 0],
    ],
    utterances: [
      [0, 15_040, 0, 10_240, false],
      [15_168, 35_008, 19_968, 30_208, false],
    ],
  },
  {
    title: 'between off and onset speech goes on',
    runs: [
      [1, 0.5],
      [30, 0.36],
      [60, 0.34],
    ],
    utterances: [[0, 20_672, 0, 15_872, false]],
  },
  {
    title: 'open at the end',
    runs: [
      [10, 0],
      [20, 0.9],
    ],
    utterances: [[320, 15_360, 5120, 15_360, false]],
  },
  {
    title: 'too long: cut in the middle of the dip in its last third',
    runs: [
      [200, 0.9],
      [1, 0.4],
      [200, 0.9],
      [1, 0.5],
      [200, 0.9],
      [60, 0],
    ],
    utterances: [
      [0, 205_568, 0, 205_568, true],
      [205_568, 313_024, 205_568, 308_224, false],
    ],
  },
  {
    title: 'a short utterance ends by the long silence',
    options: { endSchedule },
    runs: [
      [50, 0.9],
      [18, 0],
      [5, 0.9],
      [60, 0],
    ],
    utterances: [[0, 42_176, 0, 37_376, false]],
  },
  {
    title: 'a longer one by a shorter silence, and a word behind it is not lost',
    options: { endSchedule },
    runs: [
      [70, 0.9],
      [15, 0],
      [4, 0.9],
      [60, 0],
    ],
    utterances: [
      [0, 40_640, 0, 35_840, false],
      [40_640, 50_368, 43_520, 45_568, false],
    ],
  },
  {
    title: 'a blip behind it is no word',
    options: { endSchedule },
    runs: [
      [70, 0.9],
      [15, 0],
      [3, 0.9],
      [60, 0],
    ],
    utterances: [[0, 40_640, 0, 35_840, false]],
  },
  {
    title: 'a long one by a breath; the next is short again',
    options: { endSchedule },
    runs: [
      [260, 0.9],
      [5, 0],
      [20, 0.9],
      [18, 0],
      [20, 0.9],
      [60, 0],
    ],
    utterances: [
      [0, 135_680, 0, 133_120, false],
      [135_680, 170_176, 135_680, 165_376, false],
    ],
  },
  {
    title: 'a step does not ask for more than the end of all',
    options: { endSilence: 320, endSchedule },
    runs: [
      [70, 0.9],
      [10, 0],
      [20, 0.9],
      [60, 0],
    ],
    utterances: [
      [0, 40_640, 0, 35_840, false],
      [40_640, 56_000, 40_960, 51_200, false],
    ],
  },
  {
    title: 'other values',
    options: { preRoll: 0, endSilence: 320, minSpeech: 0 },
    runs: [
      [5, 0],
      [1, 0.6],
      [10, 0],
      [1, 0.6],
      [10, 0],
    ],
    utterances: [
      [2560, 7872, 2560, 3072, false],
      [8192, 13_504, 8192, 8704, false],
    ],
  },
];

for (const [name, play] of gates) {
  void t.test(name, async (t) => {
    for (const { title, runs, options, utterances } of vectors) {
      const found = play({ ...gateOptions, ...options }, expand(runs)).filter(
        (e) => e.kind === CoreEvent.utterance,
      );
      t.same(
        found.map((e) => [e.first, e.last, e.speechStart, e.speechEnd, e.cut]),
        utterances,
        title,
      );
    }
  });
}

/**
 * Number of windows of 32 ms in a pause of 700 ms. The pause is longer than the silence that usually ends an utterance,
 * and shorter than the long silence of the next tests.
 */
const between = 22;

t.test('the long silence ends utterances while the gate lingers', async (t) => {
  const talk: Runs = [
    [40, 0.9],
    [between, 0],
    [40, 0.9],
    [60, 0],
  ];
  const short = [
    [0, 25_280, 0, 20_480, false],
    [26_944, 57_024, 31_744, 52_224, false],
  ];
  const joined = [[0, 57_024, 0, 52_224, false]];
  const long = { longSilence: 1000 };
  const cases: readonly [string, Partial<GateOptions>, Runs, lingers: Runs, unknown][] = [
    ['from the beginning', long, talk, [[200, 1]], joined],
    ['never', long, talk, [[200, 0]], short],
    [
      'from inside the pause on',
      long,
      talk,
      [
        [55, 0],
        [145, 1],
      ],
      joined,
    ],
    [
      'from the end of the short silence on: too late',
      long,
      talk,
      [
        [60, 0],
        [140, 1],
      ],
      short,
    ],
    [
      'until the pause is longer than the short silence: it ends at once',
      long,
      talk,
      [
        [61, 1],
        [139, 0],
      ],
      short,
    ],
    ['no long silence', {}, talk, [[200, 1]], short],
    ['a long silence below the short one', { longSilence: 100 }, talk, [[200, 1]], short],
    [
      'a step of the schedule is shorter',
      { ...long, endSchedule: endSteps('1000:400')! },
      talk,
      [[200, 1]],
      short,
    ],
    [
      'up to the maximum length',
      { ...long, maxUtterance: 2500 },
      talk,
      [[200, 1]],
      [
        [0, 31_488, 0, 31_488, true],
        [31_488, 57_024, 31_488, 52_224, false],
      ],
    ],
  ];
  for (const [name, play] of gates)
    for (const [title, options, runs, lingers, utterances] of cases) {
      const events = play(
        { ...gateOptions, ...options },
        expand(runs),
        Uint8Array.from(expand(lingers)),
      ).filter(({ kind }) => kind === CoreEvent.utterance);
      t.same(
        events.map((e) => [e.first, e.last, e.speechStart, e.speechEnd, e.cut]),
        utterances,
        `${name}: ${title}`,
      );
    }
});

const anyOptions: fc.Arbitrary<GateOptions> = fc.record({
  onset: fc.float({ min: Math.fround(0.3), max: Math.fround(0.9), noNaN: true }),
  off: fc.float({ min: Math.fround(0.05), max: Math.fround(0.3), noNaN: true }),
  preRoll: fc.integer({ min: 0, max: 2000 }),
  endSilence: fc.integer({ min: 100, max: 5000 }),
  longSilence: fc.integer({ min: 100, max: 5000 }),
  endSchedule: fc
    .array(fc.record({ speech: fc.nat(10_000), silence: fc.integer({ min: 100, max: 5000 }) }), {
      maxLength: mostEndSteps,
    })
    .map((steps) => steps.sort((a, b) => a.speech - b.speech)),
  open: fc.record({ silence: fc.integer({ min: 0, max: 1000 }), step: fc.integer({ min: 0, max: 2000 }) }),
  minSpeech: fc.integer({ min: 0, max: 5000 }),
  maxUtterance: fc.integer({ min: 1000, max: 29_000 }),
});
const anyProbabilities = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.float({ min: 0, max: 1, noNaN: true })), {
    maxLength: 40,
  })
  .map(expand);

/** For each window, whether the gate lingers. The value changes at random windows. */
const anyLingers = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 1 })), { maxLength: 80 })
  .map((runs) => {
    const changes = new Uint8Array(8000);
    changes.set(expand(runs));
    return changes;
  });

/** The gate cuts an utterance in a pause, the pause then ends it, and another utterance follows. There is no speech between the two. */
const cutInSilence: [GateOptions, Float32Array] = [
  { onset: 0.3, off: 0.05, preRoll: 0, endSilence: 577, minSpeech: 0, maxUtterance: 1000 },
  expand([
    [14, 0.3],
    [37, 0],
    [14, 0.3],
    [18, 0],
  ]),
];

void t.test('reports the progress of an open utterance', async (t) => {
  const runs: Runs = [
    [20, 0],
    [40, 0.9],
    [10, 0],
    [20, 0.9],
    [6, 0],
    [20, 0.9],
    [30, 0],
  ];
  for (const [name, play] of gates) {
    const events = play({ ...gateOptions, open: { silence: 200, step: 1000 } }, expand(runs));
    t.same(
      events
        .filter((event) => event.kind === CoreEvent.open)
        .map(({ first, last, speechEnd, cut }) => [first, last, speechEnd, cut]),
      [
        [5440, 26_624, 26_624, false],
        [5440, 34_304, 30_720, true],
        [5440, 50_688, 50_688, false],
        [5440, 62_976, 59_392, true],
      ],
      `${name}: a second of speech, a pause, a second of speech, the pause that ends it`,
    );
    const ended = events.at(-1)!;
    t.same([ended.kind, ended.speechEnd], [CoreEvent.utterance, 59_392]);
  }
});

void t.test('parses the schedule setting and refuses invalid ones', async (t) => {
  t.same(endSteps('none'), []);
  t.same(endSteps('0:300, 2000:300'), [
    { speech: 0, silence: 300 },
    { speech: 2000, silence: 300 },
  ]);
  for (const wrong of [
    '',
    '2000',
    '2000:99',
    '2000:5001',
    '2000:300,2000:200',
    '1:200,2:300',
    '1:200,',
    'x:200',
  ])
    t.equal(endSteps(wrong), undefined, JSON.stringify(wrong));
  t.equal(endSteps(Array.from({ length: mostEndSteps + 1 }, (_, step) => `${step}:200`).join()), undefined);
});

void t.test('the end of speech reports the mean probability of its windows', async (t) => {
  const runs: Runs = [
    [20, 0.1],
    [10, 0.9],
    [5, 0.2],
    [15, 0.6],
    [40, 0.1],
  ];
  for (const [name, play] of gates) {
    const [end] = play(gateOptions, expand(runs)).filter(({ kind }) => kind === CoreEvent.speechEnd);
    t.ok(Math.abs(end!.probability - (10 * 0.9 + 5 * 0.2 + 15 * 0.6) / 30) < 1e-6, name);
  }
});

const usualVectors = vectors.filter(({ options }) => options === undefined).map(({ runs }) => expand(runs));

t.test('the native gate has the usual default numbers', { skip: withoutNative }, async (t) => {
  const [, play] = gates[1]!;
  const played = (numbers: Partial<GateOptions>) =>
    usualVectors.map((probabilities) => play(numbers as GateOptions, probabilities));
  t.same(played({}), played(usualGate), 'are the usual ones');
  for (const [name, number] of Object.entries(usualGate)) {
    t.notSame(played({ [name]: number * 1.3 }), played({}), `another ${name} is noticed`);
  }
});

t.test('both gates report the same events for any probabilities', async (t) => {
  fc.assert(
    fc.property(anyOptions, anyProbabilities, anyLingers, (options, probabilities, lingers) => {
      const events = portable(options, probabilities, lingers);
      let speaking = false;
      let before = 0;
      let cutBefore = false;
      const off = Math.fround(options.off);
      for (const event of events) {
        if (event.kind === CoreEvent.open) {
          if (!speaking || event.first < before || event.speechStart < event.first)
            throw new Error('what is told as open was handed out, or never began');
          continue;
        }
        if (event.kind !== CoreEvent.utterance) {
          if (speaking === (event.kind === CoreEvent.speechStart))
            throw new Error('speech starts and ends in turn');
          speaking = !speaking;
          if (speaking) cutBefore = false;
          continue;
        }
        const { first, last, speechStart, speechEnd, cut } = event;
        if (first < before) throw new Error('a sample was handed out twice');
        // After a cut, the gate may drop silence, but never a window with speech.
        const between = probabilities.subarray(
          Math.ceil(before / windowSamples),
          Math.floor(first / windowSamples),
        );
        if (cutBefore && between.some((probability) => probability >= off))
          throw new Error('speech was lost at a cut');
        if (!(first <= speechStart && speechStart < speechEnd && speechEnd <= last))
          throw new Error('out of order');
        if (last > probabilities.length * windowSamples) throw new Error('beyond the end');
        if (last - first > options.maxUtterance * 16 + windowSamples)
          throw new Error('longer than the maximum');
        before = last;
        cutBefore = cut;
      }
      if (speaking) throw new Error('speech is still open');
    }),
    { numRuns: 300, examples: [[...cutInSilence, new Uint8Array(100)]] },
  );
  t.pass('every utterance is in order, whole, bounded and handed out once');

  if (gates.length > 1) {
    fc.assert(
      fc.property(anyOptions, anyProbabilities, anyLingers, (options, probabilities, lingers) => {
        const [a, b] = gates.map(([, play]) => JSON.stringify(play(options, probabilities, lingers)));
        if (a !== b) throw new Error(`${a} is not ${b}`);
      }),
      { numRuns: 300 },
    );
    t.pass('both gates agree');
  }
});

t.test('no window of speech is lost when lingering changes', async (t) => {
  fc.assert(
    fc.property(anyOptions, anyProbabilities, anyLingers, (options, probabilities, lingers) => {
      const all = { ...options, minSpeech: 0 };
      const utterances = portable(all, probabilities, lingers).filter(
        ({ kind }) => kind === CoreEvent.utterance,
      );
      const onset = Math.fround(options.onset);
      for (const [window, probability] of probabilities.entries()) {
        const middle = (window + 0.5) * windowSamples;
        if (probability >= onset && !utterances.some(({ first, last }) => first <= middle && middle <= last))
          throw new Error(`window ${window} is in no utterance`);
      }
    }),
    { numRuns: 300 },
  );
  t.pass('each is in an utterance');
});
