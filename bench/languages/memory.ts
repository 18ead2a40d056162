import { type Slope, slopeOf } from '../suites/slope.js';
import { type Part, type Processes, parts, residentKb } from './processes.js';

/** Seconds after its start in which a process is not measured, because it loads its models. */
const loading = 30;
/** Share of the readings, at the start, that do not count. A heap takes minutes to reach its size. */
const growing = 0.2;

/** Change of the memory of a part of the server over time. */
export interface Growth {
  readonly part: Part;
  /** Mean resident memory of one process, in KB. */
  readonly rssKb: number;
  readonly slope: Slope;
  /** Number of processes that were measured. */
  readonly processes: number;
}

/** Readings of the resident memory of the server's processes. */
export class MemoryReadings {
  readonly #points = new Map<Part, [number, number][]>(parts.map((part) => [part, []]));
  readonly #since = new Map<number, number>();
  readonly #measured = new Map<Part, Set<number>>(parts.map((part) => [part, new Set()]));

  /**
   * Reads the memory of each process. For each part of the server, stores the mean over its processes.
   * @param at seconds since the start of the run.
   */
  read(at: number, processes: Processes, resident: (pid: number) => number | undefined = residentKb): void {
    for (const part of parts) {
      const sizes: number[] = [];
      for (const pid of processes[part]) {
        const since = this.#since.get(pid) ?? at;
        this.#since.set(pid, since);
        const size = resident(pid);
        if (size === undefined || at - since < loading) continue;
        sizes.push(size);
        this.#measured.get(part)!.add(pid);
      }
      if (sizes.length > 0)
        this.#points.get(part)!.push([at, sizes.reduce((sum, size) => sum + size, 0) / sizes.length]);
    }
  }

  pointsOf(part: Part): readonly (readonly [number, number])[] {
    return this.#points.get(part)!;
  }

  /**
   * Returns the memory growth of a part of the server; undefined if there are too few readings.
   * @param from seconds since the start of the run. Earlier readings do not count.
   */
  growthOf(part: Part, from = 0): Growth | undefined {
    const later = this.pointsOf(part).filter(([at]) => at >= from);
    const [first] = later[0] ?? [0];
    const length = (later.at(-1)?.[0] ?? 0) - first;
    const points = later.filter(([at]) => at >= first + growing * length);
    const slope = slopeOf(points);
    if (slope === undefined) return undefined;
    const rssKb = points.reduce((sum, [, size]) => sum + size, 0) / points.length;
    return { part, rssKb, slope, processes: this.#measured.get(part)!.size };
  }
}
