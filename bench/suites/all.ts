import { openView } from '../fleet/live-view.js';
import { startEngine } from '../fleet/targets/engine-target.js';
import { chosenSuites, runMicroSuite } from '../micro/index.js';
import { type CostName, costNames, dimensionNames, fields, spreadOf } from '../report/fields.js';
import type { Row, SuiteOutcome } from '../report/index.js';
import { alignCells, shownValue } from '../report/table.js';
import { runCost } from './cost.js';
import { runJournal } from './journal/journal.js';
import { runRequests } from './rest/requests.js';
import { runStart } from './start.js';

interface Watch {
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  readonly live: boolean;
}

export interface Part {
  readonly name: string;
  readonly run: (watch: Watch) => Promise<SuiteOutcome>;
}

/** Numbers of rounds for the overview. They suffice for a rough figure, but not for small changes. */
const microRounds = { rounds: 3, warmUp: 1 };

const micro = (name: string): Part => ({
  name: `micro ${name}`,
  run: () => runMicroSuite(chosenSuites([name])[0]!, microRounds),
});

const cost: Part = {
  name: 'cost',
  run: ({ signal, live }) =>
    runCost({
      suite: 'cost',
      contenders: [{ name: 'cochlea', start: () => startEngine() }],
      loads: [{ streams: 50 }, { streams: 200 }, { streams: 400 }],
      codecs: ['opus'],
      materials: ['speech'],
      rampPerS: 100,
      seed: 1,
      settle: 4,
      seconds: 30,
      slice: 5,
      capacity: { slo: 100, hold: 20, shortHold: 7, from: 100, most: 5000 },
      view: openView(process.stderr, live),
      signal,
    }),
};

/** Parts of suites that together take about five minutes. Each suite measures more when it runs alone. */
export const fiveMinutes: readonly Part[] = [
  micro('vad'),
  micro('ring'),
  micro('turn'),
  cost,
  {
    name: 'start',
    run: (watch) => runStart({ ...watch, modes: ['up, existing folder', 'engine'], rounds: 2 }),
  },
  {
    name: 'journal',
    run: (watch) =>
      runJournal({
        ...watch,
        batches: [1, 100],
        shards: [1],
        milliseconds: 1000,
        rounds: 2,
        spillEntries: 200,
        durable: true,
      }),
  },
  {
    name: 'requests',
    run: (watch) =>
      runRequests({
        ...watch,
        conversations: 200,
        segments: 50,
        connections: [10],
        milliseconds: 2000,
        rounds: 1,
        rateLimitBoost: 1_000_000,
        durable: true,
      }),
  },
];

/** Informative costs, which the overview shows in addition to the first cost of a row. */
const besides: readonly CostName[] = [
  'rss_kb_per_stream',
  'p99_frame_to_vad_ms',
  'capacity_streams',
  'segments_per_s',
  'requests_per_s',
  'p99_ms',
  'ms_to_first_frame',
];

const conditions = (row: Row): string =>
  dimensionNames
    .filter((name) => !['suite', 'contender', 'stt', 'asked'].includes(name) && row[name] !== undefined)
    .map((name) => (typeof row[name] === 'number' ? `${name} ${row[name]}` : row[name]))
    .join(', ');

/**
 * Returns the rows of several suites as one table. Each row has a line for its first cost, and a line for each
 * informative cost.
 */
export const summaryTable = (rows: readonly Row[]): string => {
  const lines = rows.flatMap((row) => {
    const measured = costNames.filter((name) => row[name] !== undefined);
    return measured
      .filter((name, i) => i === 0 || besides.includes(name))
      .map((name, i) => [
        i === 0 ? row.suite : '',
        i === 0 ? row.contender : '',
        i === 0 ? conditions(row) : '',
        fields[name].title,
        shownValue(row[name]),
        fields[name].unit,
        shownValue(row[spreadOf(name)] ?? (i === 0 ? row.spread : undefined)),
      ]);
  });
  return alignCells(
    [['suite', 'contender', 'of', 'measured', 'value', 'unit', 'spread'], ...lines],
    [false, false, false, false, true, false, true],
  );
};

/**
 * Runs parts one after the other. If a part fails, it is listed as skipped, and the next part runs.
 * @param found receives the results of each part.
 */
export const runParts = async (
  parts: readonly Part[],
  watch: Watch,
  found: (outcome: SuiteOutcome) => void,
): Promise<void> => {
  for (const { name, run } of parts) {
    watch.signal.throwIfAborted();
    watch.tell(name);
    try {
      found(await run(watch));
    } catch (error) {
      watch.signal.throwIfAborted();
      const skipped = [{ suite: name, what: 'the whole suite', why: (error as Error).message }];
      found({ results: [], selfNoise: [], skipped, versions: {} });
    }
  }
};
