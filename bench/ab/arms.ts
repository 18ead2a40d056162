import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadView } from '../fleet/live-view.js';
import { startEngine } from '../fleet/targets/engine-target.js';
import type { CostName } from '../report/fields.js';
import { runFleet } from '../suites/fleet.js';
import { runProgram, tellingLine } from './program.js';
import { type MeasuredRow, readRows } from './rows.js';

/** Function that starts a process from the folder of one arm (the base or the head commit), measures it and ends it. */
export type Measure = (folder: string, signal: AbortSignal) => Promise<readonly MeasuredRow[]>;

export interface FleetLoad {
  readonly streams: number;
  /** Number of measured seconds. The measurement begins `settle` seconds after the load has begun. */
  readonly seconds: number;
}

/** Costs that are compared under a fleet load. All other costs describe the load generator or count rare events. */
const fleetCosts: ReadonlySet<CostName> = new Set<CostName>([
  'cpu_ms_per_stream_s',
  'others_cpu_ms_per_stream_s',
  'rss_kb_per_stream',
  'p50_frame_to_vad_ms',
  'p99_frame_to_vad_ms',
]);

/** Seconds of load before the measurement begins. */
const settle = 3;
const rampPerS = 100;

const unwatched: LoadView = {
  phase: () => undefined,
  tick: () => undefined,
  slice: () => undefined,
  line: () => undefined,
  end: () => undefined,
};

/**
 * Returns a function that runs the `bench micro` of the arm's own checkout in a new process. The suites use internal
 * interfaces, which differ between commits. So each commit measures itself, and this code only reads its report.
 * @param rounds number of measured rounds of a process.
 */
export const microMeasure =
  (suites: readonly string[], rounds: number): Measure =>
  async (folder, signal) => {
    const place = mkdtempSync(join(tmpdir(), 'cochlea-bench-'));
    const json = join(place, 'report.json');
    const entry = join(folder, 'dist', 'bench', 'index.js');
    const words = ['micro', '--only', ...suites, '--rounds', String(rounds), '--json', json];
    try {
      const { code, output } = await runProgram(process.execPath, [entry, ...words], { cwd: folder, signal });
      if (code !== 0) throw new Error(`its "bench micro" failed: ${tellingLine(output)}`);
      const rows = readRows(JSON.parse(readFileSync(json, 'utf8')));
      return rows.filter(({ labels }) => labels.contender === 'cochlea');
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  };

/**
 * Returns a function that starts a server from the arm's checkout and measures it. Only the server comes from that
 * checkout. The load generator comes from the checkout that runs this bench.
 */
export const fleetMeasure =
  ({ streams, seconds }: FleetLoad): Measure =>
  async (folder, signal) => {
    const { results } = await runFleet({
      codec: 'opus',
      material: 'speech',
      rampPerS,
      seed: 1,
      target: () => startEngine({ root: pathToFileURL(`${folder}/`) }),
      streams,
      settle,
      seconds,
      slice: seconds,
      view: unwatched,
      signal,
    });
    return readRows({ results }).map(({ labels, costs }) => ({
      labels,
      costs: Object.fromEntries(Object.entries(costs).filter(([name]) => fleetCosts.has(name as CostName))),
    }));
  };
