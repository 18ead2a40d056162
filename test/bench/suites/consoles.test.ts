import t from 'tap';
import { openView } from '../../../bench/fleet/live-view.js';
import { rowSchema } from '../../../bench/report/envelope.js';
import { judgeConsoles, runConsoles } from '../../../bench/suites/consoles.js';

const round = (before: number, active: number, plain: number, after: number) => ({
  before,
  active,
  plain,
  after,
});

t.test('consoles are compared with the streams alone, in the same round', async (t) => {
  const cases = [
    ['the same', [round(1, 1, 1, 1)], []],
    ['a drift of the machine', [round(1, 1.1, 1.1, 1.2), round(2, 2.2, 2.2, 2.4)], []],
    ['consoles that cost', [round(1, 1.1, 1.1, 1)], [/beside consoles: 1\.100 times/]],
    [
      'activity that costs',
      [round(1, 1.03, 1, 1), round(1, 1.05, 1, 1)],
      [/beside consoles/, /with activity: 1\.0/],
    ],
    ['one bad round of three', [round(1, 1, 1, 1), round(1, 2, 1, 1), round(1, 1, 1, 1)], []],
  ] as const;
  for (const [name, rounds, expected] of cases) {
    const { failures } = judgeConsoles(rounds);
    t.equal(failures.length, expected.length, `${name}: ${failures.join('; ')}`);
    for (const [index, pattern] of expected.entries()) t.match(failures[index], pattern);
  }
});

t.test(
  'a run measures the streams alone and beside both kinds of consoles',
  { timeout: 240_000 },
  async (t) => {
    const { results } = await runConsoles({
      asked: { streams: 4 },
      consoles: 2,
      rounds: 1,
      codec: 'opus',
      material: 'speech',
      rampPerS: 100,
      seed: 1,
      settle: 1,
      seconds: 8,
      slice: 4,
      capacity: { slo: 100, hold: 1, shortHold: 1, from: 1, most: 1 },
      view: openView({ write: () => true }, false),
      signal: new AbortController().signal,
    });
    t.same(
      results.map(({ mode }) => mode),
      ['alone', 'beside 2 consoles without activity', 'beside 2 consoles', 'beside 2 consoles, paired'],
    );
    for (const row of results) {
      t.doesNotThrow(() => rowSchema.parse(row));
      t.ok(row.cpu_ms_per_stream_s! > 0);
      t.equal(row.errors, 0);
    }
  },
);
