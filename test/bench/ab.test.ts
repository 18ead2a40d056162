import fc from 'fast-check';
import t from 'tap';
import { compareArms, measureRounds, verdictLines } from '../../bench/ab/compare.js';
import { judge, orderOf, type RoundCosts, type Seat, seats } from '../../bench/ab/judge.js';
import { type MeasuredRow, readRows } from '../../bench/ab/rows.js';
import { rowSchema, selfNoiseSchema } from '../../bench/report/envelope.js';

/** Returns a generator of seeded numbers between 0 and 1. */
const generator = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
};

interface Machine {
  readonly rows: number;
  readonly rounds: number;
  /** Standard deviation of the factor that all costs of a process have in common. */
  readonly ofProcess: number;
  /** Standard deviation of each single cost. */
  readonly ofCost: number;
  /** Share of costs that other programs raise by up to 30 %. */
  readonly disturbed: number;
  /** Ratio of the new version's costs to the old version's costs. */
  readonly factor: number;
}

const measured = (seed: number, machine: Machine): Map<string, RoundCosts[]> => {
  const random = generator(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const { rows, rounds, ofProcess, ofCost, disturbed, factor } = machine;
  const costs = new Map(Array.from({ length: rows }, (_, row) => [`row ${row}`, [] as RoundCosts[]]));
  for (let round = 0; round < rounds; round++) {
    const processes = Object.fromEntries(seats.map((seat) => [seat, ofProcess * normal()]));
    for (const [, each] of costs) {
      const cost = (seat: Seat): number =>
        Math.exp(processes[seat]! + ofCost * normal() + (random() < disturbed ? 0.3 * random() : 0)) *
        (seat.startsWith('B') ? factor : 1);
      each.push({ A1: cost('A1'), B1: cost('B1'), A2: cost('A2'), B2: cost('B2') });
    }
  }
  return costs;
};

t.test('the processes of both commits alternate, forwards and backwards', async (t) => {
  t.same(
    [0, 1, 2].map((round) => orderOf(round).join(' ')),
    ['A1 B1 A2 B2', 'B2 A2 B1 A1', 'A1 B1 A2 B2'],
  );
  const called: string[] = [];
  await measureRounds(2, async (seat, round) => {
    called.push(`${seat}${round}`);
    return [];
  });
  t.same(called.join(' '), 'A10 B10 A20 B20 B21 A21 B11 A11');
});

t.test('between identical commits, almost no change is marked', async (t) => {
  const base = { rows: 18, rounds: 5, factor: 1 };
  const machines: readonly [name: string, machine: Machine][] = [
    ['each cost scatters', { ...base, ofProcess: 0, ofCost: 0.03, disturbed: 0 }],
    ['processes scatter', { ...base, ofProcess: 0.05, ofCost: 0.005, disturbed: 0 }],
    ['neighbours', { ...base, ofProcess: 0.02, ofCost: 0.02, disturbed: 0.1 }],
    ['a quiet machine', { ...base, ofProcess: 0.003, ofCost: 0.003, disturbed: 0 }],
  ];
  for (const [name, machine] of machines) {
    let runs = 0;
    for (let seed = 1; seed <= 100; seed++) {
      if ([...judge(measured(seed, machine)).values()].some(({ marked }) => marked)) runs++;
    }
    t.ok(runs <= 3, `${name}: ${runs} of 100 runs of 18 costs mark one`);
  }
});

t.test('a change beyond the noise is always marked, in both directions', async () => {
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(2, 0.5), (seed, factor) => {
      const machine = { rows: 6, rounds: 5, ofProcess: 0.03, ofCost: 0.02, disturbed: 0, factor };
      return [...judge(measured(seed, machine)).values()].every(
        ({ marked, ratio }) => marked && Math.abs(Math.log(ratio / factor)) < 0.2,
      );
    }),
    { numRuns: 200 },
  );
});

t.test('a cost that changed is marked, and costs that did not change are not', async (t) => {
  const machine = { rows: 6, rounds: 5, ofProcess: 0.01, ofCost: 0.01, disturbed: 0, factor: 1 };
  const costs = measured(7, machine);
  costs.set(
    'row 3',
    costs.get('row 3')!.map(({ A1, A2, B1, B2 }) => ({ A1, A2, B1: B1 * 1.3, B2: B2 * 1.3 })),
  );
  t.same(
    [...judge(costs)].filter(([, { marked }]) => marked).map(([row]) => row),
    ['row 3'],
  );
  const equal: RoundCosts = { A1: 5, A2: 5, B1: 5.04, B2: 5.04 };
  const still = new Map([['still', [equal, equal, equal]]]);
  t.notOk(judge(still).get('still')!.marked, 'less than 1 % is nothing, however quiet the machine');
  t.same(judge(new Map()), new Map());
});

const row = (batch: number, cost: number): MeasuredRow => ({
  labels: { suite: 'vad', contender: 'cochlea', batch },
  costs: { us_per_window: cost },
});
const everywhere = (rows: (seat: Seat) => readonly MeasuredRow[]) =>
  [0, 1, 2].map(() => new Map(seats.map((seat) => [seat, rows(seat)] as const)));

t.test('rows, noise and verdicts have the form of reports', async (t) => {
  const outcome = compareArms(
    everywhere((seat) => [
      row(1, seat.startsWith('A') ? 10 : 20),
      row(16, 5),
      ...(seat === 'B2' ? [row(4, 3)] : []),
    ]),
  );
  for (const each of outcome.results) rowSchema.parse(each);
  for (const each of outcome.selfNoise) selfNoiseSchema.parse(each);
  t.match(outcome.results, [
    { suite: 'vad', contender: 'base', batch: 1, us_per_window: 10, us_per_window_spread: 0, rounds: 3 },
    { contender: 'head', batch: 1, us_per_window: 20, ratio: 2, against: 'base', beyond_noise: true },
    { contender: 'base', batch: 16 },
    { contender: 'head', batch: 16, ratio: 1, beyond_noise: false },
  ]);
  t.same(
    outcome.changes.map(({ what, verdict }) => [what, verdict]),
    [
      ['batch 1', 'worse'],
      ['batch 16', 'same'],
    ],
  );
  t.same(outcome.skipped, [
    {
      suite: 'ab',
      what: 'vad: batch 4: us_per_window',
      why: 'not told by all four processes of every round',
    },
  ]);
  t.same(verdictLines(outcome.changes), [
    '1 of 2 costs differ beyond noise:',
    'worse: vad, batch 1: us_per_window 10 -> 20 (+100.0 %, noise 1.0 %)',
  ]);
});

t.test('a larger value counts as better where the field says so', async (t) => {
  const rate = (requests_per_s: number): MeasuredRow => ({
    labels: { suite: 'rest', contender: 'cochlea' },
    costs: { requests_per_s },
  });
  const { changes } = compareArms(everywhere((seat) => [rate(seat.startsWith('A') ? 100 : 200)]));
  t.match(changes, [{ verdict: 'better', base: 100, head: 200 }]);
  const same = compareArms(everywhere(() => [rate(100)]));
  t.same(verdictLines(same.changes), ['Nothing differs beyond noise: 1 costs compared.']);
});

t.test('fields that this commit does not know are left out of the report of another commit', async (t) => {
  const report = {
    results: [
      {
        suite: 'vad',
        contender: 'cochlea',
        isa: 'avx2',
        batch: 16,
        us_per_window: 8.3,
        spread: 0.1,
        unknown_cost: 1,
      },
      { suite: 'turn', contender: 'cochlea', cpu_ms_per_stream_s: 0.9, bytes_per_stream: 0 },
      { suite: 'vad' },
      null,
    ],
  };
  t.same(readRows(report), [
    { labels: { suite: 'vad', contender: 'cochlea', isa: 'avx2', batch: 16 }, costs: { us_per_window: 8.3 } },
    { labels: { suite: 'turn', contender: 'cochlea' }, costs: { cpu_ms_per_stream_s: 0.9 } },
  ]);
  for (const other of [null, 7, [], {}, { results: [] }, { results: 'none' }, { rows: [1] }])
    t.throws(() => readRows(other), /no rows/, JSON.stringify(other));
});
