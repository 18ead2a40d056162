import type { LoadView } from '../fleet/live-view.js';
import {
  type FleetOptions,
  isDisturbed,
  type Load,
  networkWords,
  openLoad,
  packetVersions,
} from '../fleet/load.js';
import { beyond, cpuPerStreamSecond, joinSlices, type ServiceLevel } from '../fleet/load-row.js';
import { loadRow, measureCapacity, measureLoad, rungLine } from '../fleet/measure.js';
import type { Slice } from '../fleet/session.js';
import type { Target } from '../fleet/target.js';
import { quantileOf } from '../fleet/targets/server-page.js';
import type { Row, Series, SuiteOutcome } from '../report/index.js';

/** Options of the search for a capacity. */
export interface CapacityOptions {
  /** Maximum 99th percentile of the time from a frame's arrival to the detector's decision, in ms. */
  readonly slo: number;
  /** Seconds of the last load test, which decides the result. */
  readonly hold: number;
  readonly shortHold: number;
  readonly from: number;
  readonly most: number;
}

export interface FleetRunOptions extends FleetOptions {
  readonly target: () => Promise<Target>;
  readonly streams: number;
  readonly settle: number;
  readonly seconds: number;
  readonly slice: number;
  /**
   * Maximum p99 of the time from a frame's arrival to the detector's decision, in ms; default 100. The row shows
   * whether the load exceeded it.
   */
  readonly slo?: number;
  /**
   * Options of a search for the capacity. If they are present, the run finds the capacity. If not, it measures at
   * `streams`.
   */
  readonly capacity?: CapacityOptions;
  readonly view: LoadView;
  readonly signal: AbortSignal;
}

/** Describes a service level for the rows of a report. */
export const levelWords = ({ slo, hold }: CapacityOptions): string =>
  `p99_frame_to_vad_ms<=${slo}, nothing dropped, ${hold} s`;

/** Returns the dimensions that every row of a load has. */
export const labelsOf = (
  suite: string,
  options: FleetOptions,
  target: Target,
): Pick<Row, 'suite' | 'contender'> & Partial<Row> => {
  const network = networkWords(options);
  return {
    suite,
    contender: target.name,
    codec: options.codec,
    material: options.material,
    ...(network === undefined ? {} : { network }),
    stt: target.stt ?? 'unknown',
  };
};

/** Returns series of latency and cost, with one value for each slice. */
const overTime = (labels: Pick<Row, 'suite' | 'contender'>, slices: readonly Slice[]): Series[] => {
  const series = (name: string, unit: string, pick: (slice: Slice) => number | undefined): Series[] => {
    let at = 0;
    const points = slices.flatMap((slice): [number, number][] => {
      at += slice.seconds;
      const value = pick(slice);
      return value === undefined ? [] : [[at, value]];
    });
    const { suite, contender } = labels;
    return points.length < 2 ? [] : [{ suite, contender, name, unit, x: 'time_s', points }];
  };
  return [
    ...series('p50_frame_to_vad_ms', 'ms', ({ frameToVad }) => quantileOf(frameToVad, 0.5)),
    ...series('p99_frame_to_vad_ms', 'ms', ({ frameToVad }) => quantileOf(frameToVad, 0.99)),
    ...series('cpu_ms_per_stream_s', 'ms', cpuPerStreamSecond),
    ...series('rss_kb', 'KB', ({ memory }) => memory?.rssKb),
  ];
};

/** Returns the row of a load. It names the limits of the service level that the load exceeded. */
export const measuredRow = (
  labels: Pick<Row, 'suite' | 'contender'> & Partial<Row>,
  slices: readonly Slice[],
  load: Load,
  level: ServiceLevel,
): Row => {
  const overload = load.target.metricsUrl === undefined ? undefined : beyond(joinSlices(slices), level);
  return {
    ...loadRow(labels, slices, load.baselineKb),
    ...(overload === undefined ? {} : { beyond: overload }),
  };
};

interface Found {
  readonly streams: number;
  readonly series: readonly Series[];
  readonly row: Row;
}

/**
 * Finds a capacity. Prints each load test of the search.
 * @param reopen restarts a server that did not recover. The caller closes the last load that `reopen` returned.
 */
export const findLoadCapacity = async (
  suite: string,
  load: Load,
  options: FleetOptions & { readonly view: LoadView },
  capacity: CapacityOptions,
  reopen: () => Promise<Load>,
): Promise<Found> => {
  const { view, rampPerS } = options;
  if (load.target.metricsUrl === undefined)
    throw new Error('a capacity cannot be found without a metrics page');
  const level: ServiceLevel = { frameToVadMs: capacity.slo, disturbed: isDisturbed(options) };
  const rungs: { streams: number; slice: Slice }[] = [];
  view.phase(`capacity of ${load.target.name}`);
  const found = await measureCapacity(load.session, {
    ...capacity,
    most: Math.min(capacity.most, load.session.limit),
    rampPerS,
    level,
    restart: async () => (await reopen()).session,
    onRung: (rung, slice) => {
      if (slice !== undefined) rungs.push({ streams: rung.streams, slice });
      view.line(rungLine(rung, slice));
    },
  });
  const labels = labelsOf(suite, options, load.target);
  const at = rungs.findLast(({ streams }) => streams === found.streams);
  const row: Row = {
    ...(at ? loadRow(labels, [at.slice], load.baselineKb) : labels),
    mode: 'capacity',
    service_level: levelWords(capacity),
    capacity_streams: found.streams,
  };
  view.line(
    `${load.target.name} holds ${found.streams} streams${found.atLeast ? ' or more' : `; above: ${found.boundBy}`}`,
  );
  const curve = (
    name: string,
    unit: string,
    limit: number | undefined,
    pick: (slice: Slice) => number | undefined,
  ): Series[] => {
    const byStreams = new Map(
      rungs.flatMap(({ streams, slice }) => {
        const value = pick(slice);
        return value === undefined ? [] : [[streams, value] as const];
      }),
    );
    const points = [...byStreams].sort(([a], [b]) => a - b).map(([x, y]): [number, number] => [x, y]);
    if (points.length < 2) return [];
    const { suite, contender } = labels;
    return [
      {
        suite,
        contender,
        name,
        unit,
        x: 'streams',
        points,
        ...(limit === undefined ? {} : { level: limit }),
      },
    ];
  };
  const series = [
    ...curve('p99_frame_to_vad_ms', 'ms', capacity.slo, ({ frameToVad }) => quantileOf(frameToVad, 0.99)),
    ...curve('cpu_ms_per_stream_s', 'ms', undefined, cpuPerStreamSecond),
  ];
  return { streams: found.streams, series, row };
};

/**
 * Runs a fleet of wearables against a server. Measures CPU per second of audio of one stream, latency and losses; or
 * finds the capacity in streams.
 */
export const runFleet = async (options: FleetRunOptions): Promise<SuiteOutcome> => {
  const { target, streams, settle, seconds, slo = 100, view, signal, capacity } = options;
  const open = (): Promise<Load> => openLoad(target, options, view, signal);
  let load = await open();
  try {
    const skipped = load.model.skipped.map((skip) => ({ suite: 'fleet', ...skip }));
    const versions = { ...load.target.versions, ...packetVersions(load.model) };
    const common = { selfNoise: [], skipped, versions };
    if (capacity) {
      const { row, series } = await findLoadCapacity('fleet', load, options, capacity, async () => {
        await load.close();
        load = await open();
        return load;
      });
      return { ...common, results: [row], series };
    }
    view.phase(
      `${load.target.name}: ${streams} streams, ${options.codec} ${options.material}`,
      seconds,
      settle,
    );
    const slices = await measureLoad(load.session, { ...options, onSlice: (slice) => view.slice(slice) });
    const labels = { ...labelsOf('fleet', options, load.target), streams };
    return {
      ...common,
      results: [measuredRow(labels, slices, load, { frameToVadMs: slo, disturbed: isDisturbed(options) })],
      series: overTime(labels, slices),
    };
  } finally {
    view.phase('stopping');
    await load.close();
    view.end();
  }
};
