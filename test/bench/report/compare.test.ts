import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { median, spread } from '../../../bench/micro/stats.js';
import { type Change, compareReports } from '../../../bench/report/compare.js';
import type { Report, Row } from '../../../bench/report/envelope.js';
import { costRow, reportOf } from './report-samples.js';

const verdicts = ({ changes }: { changes: readonly Change[] }): string[] =>
  changes.map(({ verdict }) => verdict);

const judged = (before: Partial<Row>, after: Partial<Row>, more: Partial<Report> = {}): readonly Change[] =>
  compareReports(reportOf([costRow('x', 50, before)], more), reportOf([costRow('x', 50, after)], more))
    .changes;

t.test('one cost is judged by the noise of both reports', async (t) => {
  const noise = (ratio: number, spread = 0): Partial<Report> => ({
    self_noise: [{ suite: 'cost', of: 'all', ratio, spread }],
  });
  const cpu = (value: number, scatter?: number): Partial<Row> => ({
    cpu_ms_per_stream_s: value,
    ...(scatter === undefined ? {} : { cpu_ms_per_stream_s_spread: scatter }),
  });
  const cases: readonly [
    name: string,
    a: Partial<Row>,
    b: Partial<Row>,
    more: Partial<Report>,
    verdict: string,
  ][] = [
    ['the same', cpu(2), cpu(2), {}, 'same'],
    ['nothing tells the noise: 15 % is none', cpu(2), cpu(2.3), {}, 'same'],
    ['nothing tells the noise: 30 % is one', cpu(2), cpu(2.6), {}, 'worse'],
    ['and for the better', cpu(2.6), cpu(2), {}, 'better'],
    ['within 2 %, however quiet', cpu(2, 1e-6), cpu(2.03, 1e-6), {}, 'same'],
    ['beyond 2 % of a quiet one', cpu(2, 1e-6), cpu(2.05, 1e-6), {}, 'worse'],
    ['a single round has no scatter to judge by', cpu(2, 0), cpu(2.3, 0), {}, 'same'],
    ['within the scatter of rounds', cpu(2, 0.1), cpu(2.2, 0.1), {}, 'same'],
    ['beyond it', cpu(2, 0.1), cpu(2.5, 0.1), {}, 'worse'],
    ['the scatter of one is enough', cpu(2, 0.3), cpu(2.5, 1e-6), {}, 'same'],
    ['within self-noise', cpu(2, 1e-6), cpu(2.2, 1e-6), noise(1.05), 'same'],
    ['self-noise below 1 is noise too', cpu(2, 1e-6), cpu(2.2, 1e-6), noise(0.95), 'same'],
    ['beyond self-noise', cpu(2, 1e-6), cpu(2.2, 1e-6), noise(1.02), 'worse'],
    [
      'noise of another suite',
      cpu(2, 1e-6),
      cpu(2.2, 1e-6),
      { self_noise: [{ suite: 'vad', of: '', ratio: 2, spread: 0 }] },
      'worse',
    ],
    [
      '`spread` is that of the first cost',
      { ...cpu(2), spread: 0.3 },
      { ...cpu(2.5), spread: 0.3 },
      {},
      'same',
    ],
    [
      'more is better of what a server holds',
      { capacity_streams: 400 },
      { capacity_streams: 200 },
      {},
      'worse',
    ],
    ['fewer is worse', { requests_per_s: 100 }, { requests_per_s: 200 }, {}, 'better'],
    [
      'a tail by a fifth',
      { ...cpu(2, 1e-6), p99_frame_to_vad_ms: 20 },
      { ...cpu(2, 1e-6), p99_frame_to_vad_ms: 23 },
      {},
      'same',
    ],
    ['no drop', { dropped: 0 }, { dropped: 0 }, {}, 'same'],
    ['a few drops may be chance', { dropped: 3 }, { dropped: 5 }, {}, 'same'],
    ['many are none', { dropped: 0 }, { dropped: 40 }, {}, 'worse'],
    ['gone', { errors: 40 }, { errors: 0 }, {}, 'better'],
    ['from 0', { rss_kb: 0 }, { rss_kb: 50 }, {}, 'worse'],
    ['a difference no clock can tell', { p99_lateness_ms: 0.05 }, { p99_lateness_ms: 0.1 }, {}, 'same'],
    [
      'growth within its scatter',
      { rss_slope_kb_per_min: -20, rss_slope_kb_per_min_spread: 60 },
      { rss_slope_kb_per_min: 40, rss_slope_kb_per_min_spread: 60 },
      {},
      'same',
    ],
    [
      'growth beyond it',
      { rss_slope_kb_per_min: -20, rss_slope_kb_per_min_spread: 60 },
      { rss_slope_kb_per_min: 900, rss_slope_kb_per_min_spread: 60 },
      {},
      'worse',
    ],
    ['a cost that is gone', cpu(2), {}, {}, 'only in A'],
    ['a new one', {}, cpu(2), {}, 'only in B'],
  ];
  for (const [name, a, b, more, verdict] of cases)
    t.same([...new Set(verdicts({ changes: judged(a, b, more) }))], [verdict], name);
});

t.test('a cost without a spread uses the spread of the first cost of its row', async (t) => {
  const row = (frames: number, spreadOfFirst: number): Partial<Row> => ({
    ns_per_frame: 100,
    spread: spreadOfFirst,
    frames_per_s: frames,
  });
  const of = (scatter: number): string | undefined =>
    judged(row(1000, scatter), row(850, scatter)).find(({ cost }) => cost === 'frames_per_s')?.verdict;
  t.equal(of(1), 'worse');
  t.equal(of(20), 'same');
});

t.test('if rounds are equal by chance, the usual spread of their suite counts', async (t) => {
  const rows = (first: number): Row[] =>
    [1e-9, 0.1, 0.1, 0.1].map((scatter, at) =>
      costRow('x', at, {
        cpu_ms_per_stream_s: at === 0 ? first : 2,
        cpu_ms_per_stream_s_spread: scatter,
      }),
    );
  const of = (first: number): string =>
    compareReports(reportOf(rows(2)), reportOf(rows(first))).changes.find(({ what }) =>
      /streams 0/.test(what),
    )!.verdict;
  t.equal(of(2.2), 'same');
  t.equal(of(3), 'worse');
});

t.test('rows with equal labels are compared', async (t) => {
  const cpu = (value: number, more: Partial<Row> = {}): Partial<Row> => ({
    cpu_ms_per_stream_s: value,
    ...more,
  });
  const a = reportOf([
    costRow('cochlea', 50, cpu(2)),
    costRow('cochlea', 100, cpu(2)),
    costRow('cochlea', 340, cpu(2, { asked: '70%', load: 0.7 })),
    costRow('node', 50, cpu(14, { version: '1' })),
    costRow('node', 50, cpu(1)),
    costRow('gone', 50, cpu(1)),
  ]);
  const b = reportOf([
    costRow('node', 50, cpu(14, { version: '2' })),
    costRow('node', 50, cpu(5)),
    costRow('cochlea', 355, cpu(2, { asked: '70%', load: 0.71 })),
    costRow('cochlea', 100, cpu(4)),
    costRow('cochlea', 50, cpu(2)),
    costRow('new', 50, cpu(1)),
  ]);
  const { changes } = compareReports(a, b);
  t.same(
    changes.map(({ contender, what, a, b, verdict }) => [contender, what, a, b, verdict]),
    [
      ['node', 'opus, speech, streams 50', 1, 5, 'worse'],
      ['cochlea', 'opus, speech, streams 100', 2, 4, 'worse'],
      ['cochlea', 'opus, speech, streams 50', 2, 2, 'same'],
      ['cochlea', 'opus, speech, 70%', 2, 2, 'same'],
      ['node', 'opus, speech, streams 50', 14, 14, 'same'],
      ['gone', 'opus, speech, streams 50', undefined, undefined, 'only in A'],
      ['new', 'opus, speech, streams 50', undefined, undefined, 'only in B'],
    ],
    'the largest change first; equal rows by their order; what was asked for stands for the streams',
  );
  t.same(
    new Set(compareReports(a, b, ['cochlea']).changes.map(({ contender }) => contender)),
    new Set(['cochlea']),
  );
});

t.test('differences that make reports hard to compare are reported', async (t) => {
  const a = reportOf([], { settings: { stt: 'discard' } });
  const cases: readonly [name: string, b: Report, warnings: RegExp[]][] = [
    ['the same', a, []],
    ['another commit', { ...a, commit: 'd' }, []],
    [
      'another machine',
      { ...a, machine: { ...a.machine, cpu: 'Model A' } },
      [/^different machines: Model T, .* \| Model A, /],
    ],
    ['fewer cores', { ...a, machine: { ...a.machine, cores: 1 } }, [/^different machines/]],
    [
      'another Node',
      { ...a, machine: { ...a.machine, node: 'v20.20.0' } },
      [/^different versions of Node: v20\.19\.0 \| v20\.20\.0$/],
    ],
    ['another clock', { ...a, clock: 'wall' }, [/^different clocks/]],
    ['other settings', { ...a, settings: {} }, [/^different settings: stt=discard \| none$/]],
    [
      'rows in doubt',
      reportOf(
        [
          costRow('x', 50, { generator_bound: true }),
          costRow('x', 60, { generator_bound: false }),
          costRow('x', 70, { beyond: 'p99 300 ms' }),
        ],
        { settings: { stt: 'discard' } },
      ),
      [
        /^B, cost, x, opus, speech, streams 50: the generator did not keep its pace$/,
        /^B, cost, x, opus, speech, streams 70: p99 300 ms$/,
      ],
    ],
    ['neighbours', { ...a, machine: { ...a.machine, load: 3 } }, [/^a busy machine: load 0\.2 \| 3\.0$/]],
  ];
  for (const [name, b, warnings] of cases) {
    const found = compareReports(a, b).warnings;
    t.equal(found.length, warnings.length, name);
    for (const [at, warning] of warnings.entries()) t.match(found[at], warning, name);
  }
});

/** Returns a generator of seeded, normally distributed numbers. */
const gaussian = (seed: number): (() => number) => {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
};

/** Simulates a report. The costs of its rounds scatter by a share of the cost. */
const measured = (costs: readonly number[], scatter: number, rounds: number, seed: number): Report => {
  const random = gaussian(seed);
  const sample = (cost: number): number[] =>
    Array.from({ length: rounds }, () => cost * Math.exp(scatter * random()));
  const rows = costs.map((cost, at) => {
    const values = sample(cost);
    return costRow('x', at + 1, {
      cpu_ms_per_stream_s: median(values),
      cpu_ms_per_stream_s_spread: spread(values),
    });
  });
  const twins = [sample(costs[0]!), sample(costs[0]!)] as const;
  const ratio = median(twins[0].map((value, at) => value / twins[1][at]!));
  return reportOf(rows, { self_noise: [{ suite: 'cost', of: 'all', ratio, spread: 0 }] });
};

const situation = fc.record({
  costs: fc.array(fc.double({ min: 0.01, max: 1e5, noNaN: true }), { minLength: 1, maxLength: 30 }),
  scatter: fc.double({ min: 0, max: 0.1, noNaN: true }),
  rounds: fc.integer({ min: 5, max: 15 }),
  seed: fc.integer(),
});

t.test('a report compared with itself has no change', async () => {
  fc.assert(
    fc.property(situation, ({ costs, scatter, rounds, seed }) => {
      const report = measured(costs, scatter, rounds, seed);
      return verdicts(compareReports(report, report)).every((verdict) => verdict === 'same');
    }),
  );
});

t.test('noise alone marks at most one row in two hundred', async (t) => {
  let [marked, all] = [0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const costs = Array.from({ length: 20 }, (_, at) => at + 1);
    const scatter = (seed % 10) / 50;
    const [a, b] = [seed, -seed].map((one) => measured(costs, scatter, 5 + (seed % 11), one * 7919)) as [
      Report,
      Report,
    ];
    const found = verdicts(compareReports(a, b));
    marked += found.filter((verdict) => verdict !== 'same').length;
    all += found.length;
  }
  t.equal(all, 4000);
  t.ok(marked <= all / 200, `${marked} of ${all}`);
});

t.test('a cost that doubled or halved is always marked', async () => {
  fc.assert(
    fc.property(situation, ({ costs, scatter, rounds, seed }) => {
      const [a, b] = [
        measured(costs, scatter / 2, rounds, seed),
        measured(
          costs.map((cost) => 2 * cost),
          scatter / 2,
          rounds,
          seed + 1,
        ),
      ];
      return (
        verdicts(compareReports(a, b)).every((verdict) => verdict === 'worse') &&
        verdicts(compareReports(b, a)).every((verdict) => verdict === 'better')
      );
    }),
  );
});

t.test('the command prints the changes, and fails if it is asked to', async (t) => {
  const entry = fileURLToPath(new URL('../../../bench/index.js', import.meta.url));
  const folder = t.testdir();
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const rows = (cpu: number): Row[] => [
    costRow('cochlea', 50, { cpu_ms_per_stream_s: cpu }),
    costRow('node', 50, { cpu_ms_per_stream_s: 14 }),
  ];
  const before = file('before.json', reportOf(rows(2)));
  const after = file('after.json', reportOf(rows(4)));
  const run = async (...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    try {
      return { code: 0, ...(await promisify(execFile)(process.execPath, [entry, 'compare', ...words])) };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  };
  const json = join(folder, 'changes.json');
  const [failed, better, others, unreadable, wrong, apart] = await Promise.all([
    run(before, after, '--fail', '--json', json),
    run(after, before, '--fail', '--all'),
    run(before, after, '--contender', 'cochlea'),
    run(before, file('broken.json', '{')),
    run(
      before,
      file('wrong.json', { ...reportOf([]), results: [{ suite: 'cost', contender: 'x', cpu: 1 }] }),
    ),
    run(before, file('other.json', reportOf([costRow('cochlea', 7, { dropped: 0 })])), '--fail'),
  ]);
  const table = [
    'suite  contender  what                      cost                 A  B    B/A  noise  verdict',
    'cost   cochlea    opus, speech, streams 50  cpu_ms_per_stream_s  2  4  2.000   20 %  worse',
  ];
  t.same(failed.stdout.split('\n'), [...table, '1 worse, 0 better, 1 the same within noise', '']);
  t.equal(failed.code, 1);
  t.match(JSON.parse(readFileSync(json, 'utf8')), {
    warnings: [],
    changes: [
      { contender: 'cochlea', cost: 'cpu_ms_per_stream_s', a: 2, b: 4, ratio: 2, verdict: 'worse' },
      { contender: 'node', verdict: 'same' },
    ],
  });
  t.equal(better.code, 0);
  t.match(better.stdout, /cochlea .* better\n.*node .* same\n0 worse, 1 better/);
  t.equal(others.code, 0, 'told, not asked to fail');
  t.same(others.stdout.split('\n'), [...table, '1 worse, 0 better, 0 the same within noise', '']);
  t.match(unreadable, {
    code: 1,
    stdout: '',
    stderr: /^\S*broken\.json cannot be read as a report: [^\n]+\n$/,
  });
  t.match(wrong, { code: 1, stderr: /^\S*wrong\.json: results\.0: no field is called "cpu"[^\n]+\n$/ });
  t.match(
    apart,
    { code: 1, stderr: /^The reports have no row in common/ },
    'nothing compared is nothing shown',
  );
});
