import type { FleetCodec, FleetMaterial } from '../fleet/fleet-model.js';
import type { LoadView } from '../fleet/live-view.js';
import { type FleetOptions, isDisturbed, type Load, openLoad, packetVersions } from '../fleet/load.js';
import { cpuPerStreamSecond } from '../fleet/load-row.js';
import { measureLoad } from '../fleet/measure.js';
import type { Slice } from '../fleet/session.js';
import type { Target } from '../fleet/target.js';
import { median, paired, spread } from '../micro/stats.js';
import type { CostName, Row, SelfNoiseRow, Series, Skip, SuiteOutcome } from '../report/index.js';
import { type AskedLoad, loadWords } from './asked-load.js';
import { type CapacityOptions, findLoadCapacity, labelsOf, measuredRow } from './fleet.js';

/** A server to compare. */
export interface CostContender {
  readonly name: string;
  /** Starts a new server. Returns the reason if the server is unavailable on this machine. */
  readonly start: () => Promise<Target | { readonly skipped: string }>;
}

export interface CostOptions extends Omit<FleetOptions, 'codec' | 'material'> {
  /** Name of the suite in the rows. */
  readonly suite: string;
  readonly contenders: readonly CostContender[];
  readonly loads: readonly AskedLoad[];
  readonly codecs: readonly FleetCodec[];
  readonly materials: readonly FleetMaterial[];
  readonly settle: number;
  readonly seconds: number;
  readonly slice: number;
  /** Options of the search for a capacity. They are used only if a load is a share of the capacity. */
  readonly capacity: CapacityOptions;
  readonly view: LoadView;
  readonly signal: AbortSignal;
}

/**
 * Returns how much two measurements of the same load differ. CPU costs are compared slice by slice, other costs over
 * the complete measurement.
 */
export const twinNoise = (
  of: string,
  first: { row: Row; slices: readonly Slice[] },
  twin: { row: Row; slices: readonly Slice[] },
): SelfNoiseRow[] => {
  const common = (cost: CostName) => ({
    suite: first.row.suite,
    of: `${of}: ${cost}`,
    contender: first.row.contender,
    cost,
  });
  const costs = [first, twin].map(({ slices }) => slices.flatMap((slice) => cpuPerStreamSecond(slice) ?? []));
  const length = Math.min(costs[0]!.length, costs[1]!.length);
  const ratios = length === 0 ? [] : paired(costs[1]!.slice(0, length), costs[0]!.slice(0, length));
  const cpu =
    ratios.length === 0
      ? []
      : [{ ...common('cpu_ms_per_stream_s'), ratio: median(ratios), spread: spread(ratios) }];
  const others = (['p99_frame_to_vad_ms', 'rss_kb_per_stream'] as const).flatMap((cost) => {
    const [a, b] = [first.row[cost], twin.row[cost]];
    return a !== undefined && b !== undefined && a > 0 && b > 0
      ? [{ ...common(cost), ratio: b / a, spread: 0 }]
      : [];
  });
  return [...cpu, ...others];
};

/** Returns series of a contender's cost and latency over the number of streams. */
const byStreams = (rows: readonly Row[], slo: number): Series[] =>
  (['cpu_ms_per_stream_s', 'p99_frame_to_vad_ms', 'rss_kb_per_stream'] as const).flatMap((name) => {
    const points = rows
      .filter((row) => row.mode === undefined && row[name] !== undefined)
      .map((row): [number, number] => [row.streams!, row[name]!])
      .sort(([a], [b]) => a - b);
    const [row] = rows;
    if (points.length < 2 || !row) return [];
    const unit = name === 'rss_kb_per_stream' ? 'KB' : 'ms';
    const { suite, contender } = row;
    const label = `${row.codec}, ${row.material}`;
    const level = name === 'p99_frame_to_vad_ms' ? { level: slo } : {};
    return [{ suite, contender, name, unit, x: 'streams', points, label, ...level }];
  });

/**
 * Adds a ratio to rows: the CPU time of the row, divided by the CPU time of the first contender. Both have the same
 * load, codec and material. The first contender's own rows, and rows without a match, stay unchanged.
 */
export const withRatios = (rows: readonly Row[], first: string): Row[] =>
  rows.map((row) => {
    if (row.contender === first || row.asked === undefined) return row;
    const base = rows.find(
      (other) =>
        other.contender === first &&
        other.asked === row.asked &&
        other.codec === row.codec &&
        other.material === row.material,
    )?.cpu_ms_per_stream_s;
    if (base === undefined || row.cpu_ms_per_stream_s === undefined) return row;
    return { ...row, against: first, ratio: Number((row.cpu_ms_per_stream_s / base).toFixed(3)) };
  });

/** Error if a contender is unavailable on this machine. */
class Absent extends Error {}

/** Measures one contender at all loads, with one codec and material. */
class ContenderRun {
  readonly rows: Row[] = [];
  readonly noise: SelfNoiseRow[] = [];
  readonly series: Series[] = [];
  readonly skipped: Skip[] = [];
  versions: Readonly<Record<string, string>> = {};
  readonly #options: CostOptions;
  readonly #contender: CostContender;
  readonly #fleet: FleetOptions;

  constructor(options: CostOptions, contender: CostContender, codec: FleetCodec, material: FleetMaterial) {
    this.#options = options;
    this.#contender = contender;
    this.#fleet = { ...options, codec, material };
  }

  get title(): string {
    return `${this.#contender.name}, ${this.#fleet.codec} ${this.#fleet.material}`;
  }

  /** Measures all loads. @param twice whether to measure the first load twice. */
  async run(twice: boolean): Promise<void> {
    const { loads, capacity } = this.#options;
    const most = loads.some((asked) => 'share' in asked) ? await this.#capacity() : undefined;
    for (const [i, asked] of loads.entries()) {
      const streams = 'streams' in asked ? asked.streams : Math.max(1, Math.round(asked.share * most!));
      if (most !== undefined && streams > most) {
        this.skip(`${streams} streams`, `more than the ${most} it holds`);
        continue;
      }
      const first = await this.#measure(asked, streams, most);
      this.rows.push(first.row);
      if (!twice || i > 0) continue;
      const twin = await this.#measure(asked, streams, most);
      this.noise.push(
        ...twinNoise(`${streams} streams, ${this.#fleet.codec} ${this.#fleet.material}`, first, twin),
      );
    }
    this.series.push(...byStreams(this.rows, capacity.slo));
  }

  skip(what: string, why: string): void {
    const skip = { suite: this.#options.suite, what: `${this.title}: ${what}`, why };
    if (!this.skipped.some((other) => other.what === skip.what)) this.skipped.push(skip);
  }

  async #open(): Promise<Load> {
    const { view, signal } = this.#options;
    const start = async (): Promise<Target> => {
      const target = await this.#contender.start();
      if ('skipped' in target) throw new Absent(target.skipped);
      return target;
    };
    const load = await openLoad(start, this.#fleet, view, signal);
    this.versions = { ...this.versions, ...load.target.versions, ...packetVersions(load.model) };
    for (const { what, why } of load.model.skipped) this.skip(what, why);
    return load;
  }

  async #capacity(): Promise<number> {
    const { view, capacity } = this.#options;
    let load = await this.#open();
    try {
      const found = await findLoadCapacity(
        this.#options.suite,
        load,
        { ...this.#fleet, view },
        capacity,
        async () => {
          await load.close();
          load = await this.#open();
          return load;
        },
      );
      if (found.streams === 0) throw new Error('it holds not one stream within the service level');
      this.rows.push(found.row);
      this.series.push(
        ...found.series.map((series) => ({ ...series, label: `${this.#fleet.material}, on the way` })),
      );
      return found.streams;
    } finally {
      await load.close();
    }
  }

  async #measure(
    asked: AskedLoad,
    streams: number,
    most: number | undefined,
  ): Promise<{ row: Row; slices: readonly Slice[] }> {
    const { view, settle, seconds, capacity } = this.#options;
    const load = await this.#open();
    try {
      view.phase(`${this.title}: ${streams} streams`, seconds, settle);
      const slices = await measureLoad(load.session, {
        ...this.#options,
        streams,
        onSlice: (slice) => view.slice(slice),
      });
      const labels = {
        ...labelsOf(this.#options.suite, this.#fleet, load.target),
        asked: loadWords(asked),
        streams,
      };
      const share = most === undefined ? {} : { load: Number((streams / most).toFixed(3)) };
      const level = { frameToVadMs: capacity.slo, disturbed: isDisturbed(this.#fleet) };
      const row = measuredRow({ ...labels, ...share }, slices, load, level);
      const cost = row.cpu_ms_per_stream_s?.toFixed(2) ?? 'unknown';
      const p99 = row.p99_frame_to_vad_ms?.toFixed(1) ?? 'unknown';
      view.line(
        `${this.title}: ${streams} streams, ${cost} ms a stream-second, p99 ${p99} ms, ${row.dropped} dropped${row.beyond === undefined ? '' : ` (beyond the service level: ${row.beyond})`}`,
      );
      return { row, slices };
    } finally {
      await load.close();
    }
  }
}

/**
 * Measures the CPU cost per second of audio of one stream, by number of streams, codec and material. Measures one
 * contender after the other, and starts a new server for each load. Measures the first load of the first contender
 * twice.
 */
export const runCost = async (options: CostOptions): Promise<SuiteOutcome> => {
  const { contenders, codecs, materials, signal, view } = options;
  const results: Row[] = [];
  const selfNoise: SelfNoiseRow[] = [];
  const skipped: Skip[] = [];
  const series: Series[] = [];
  const versions: Record<string, string> = {};
  const absent = new Set<string>();
  try {
    for (const codec of codecs) {
      for (const material of materials) {
        for (const [i, contender] of contenders.entries()) {
          if (absent.has(contender.name)) continue;
          const run = new ContenderRun(options, contender, codec, material);
          try {
            await run.run(i === 0);
          } catch (error) {
            signal.throwIfAborted();
            // The comparison continues without this contender, because the others can still be compared.
            if (error instanceof Absent) absent.add(contender.name);
            run.skip(error instanceof Absent ? 'all of it' : 'what follows', (error as Error).message);
          }
          results.push(...run.rows);
          selfNoise.push(...run.noise);
          skipped.push(...run.skipped);
          series.push(...run.series);
          Object.assign(versions, run.versions);
        }
      }
    }
  } finally {
    view.end();
  }
  return { results: withRatios(results, contenders[0]!.name), selfNoise, skipped, versions, series };
};
