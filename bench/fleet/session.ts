import { setTimeout } from 'node:timers/promises';
import type { Generator, GeneratorSnapshot } from './generator.js';
import { type CpuReading, cpuBetween, type MemoryReading, readCpu, readMemory } from './process-usage.js';
import { addCounts, countWords, type Sent, sumOf } from './sent.js';
import type { Target } from './target.js';
import { type Distribution, fetchPage, gained, type ServerReading } from './targets/server-page.js';

/** What changed between two readings of the server and the generator. */
export interface Slice {
  readonly seconds: number;
  readonly wanted: number;
  /** Number of streams that were open at the end of the slice. */
  readonly open: number;
  readonly sent: Sent;
  /** Whether the server returned its metrics page. Otherwise the server's work is unknown. */
  readonly told: boolean;
  readonly framesDecoded: number;
  readonly framesInvalid: number;
  readonly vadWindows: number;
  readonly dropped: number;
  readonly frameToVad: Distribution;
  /** CPU time of the server, ms; undefined if unknown. */
  readonly cpuMs?: number;
  /** CPU time in ms of related processes, such as the sidecar and the database. */
  readonly othersCpuMs?: number;
  readonly memory?: MemoryReading;
  readonly speechBufferBytes: number;
}

/** The state that a viewer receives once per second. */
export interface Tick {
  readonly wanted: number;
  readonly open: number;
  readonly framesPerS: number;
  readonly cpuCores?: number;
  readonly errors: Readonly<Record<string, number>>;
}

interface Moment {
  readonly at: number;
  readonly page?: ServerReading;
  readonly cpu?: CpuReading;
  readonly others?: CpuReading;
}

/** Ms between two readings of the generator's counters while the session waits. */
const lookEvery = 1000;
/** Number of attempts to read the server's page before the session gives up. An overloaded server answers late. */
const pageTries = 4;

export interface SessionOptions {
  /** Ends every wait with the signal's reason. */
  readonly signal: AbortSignal;
  /** Receives the state about once per second. */
  readonly onTick?: (tick: Tick) => void;
  /** Whether the load itself ends streams. All streams are then rarely open at the same time. */
  readonly disturbed?: boolean;
  /** Clock for waits; absent: the machine's clock. Tests replace it. */
  readonly clock?: SessionClock;
}

export interface SessionClock {
  /** ms */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const machineClock: SessionClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };

/** In a disturbed load, this share of the wanted streams suffices. */
const disturbedShare = 0.9;

/** Error if a server's page was unreadable several times in a row. The server has ended, or is too busy to answer. */
export class PageSilent extends Error {
  constructor(name: string, cause: Error) {
    super(`${name} does not show its page any more: ${cause.message}`, { cause });
  }
}

/** A server under load. Sets the number of streams and measures time spans. */
export class Session {
  readonly target: Target;
  readonly #generator: Generator;
  readonly #options: SessionOptions;
  readonly #clock: SessionClock;
  #pending: GeneratorSnapshot[] = [];
  #last: GeneratorSnapshot | undefined;
  #lastCpu: { at: number; cpu: CpuReading } | undefined;
  #errors: Readonly<Record<string, number>> = {};
  #sinceTick = { atMs: 0, frames: 0 };

  /** @param generator belongs to the caller, who must stop it. */
  constructor(target: Target, generator: Generator, options: SessionOptions) {
    this.target = target;
    this.#generator = generator;
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
  }

  /** Number of open streams at the generator's last snapshot. */
  get open(): number {
    return this.#last?.open ?? 0;
  }

  /** Maximum number of streams that this machine can open. */
  get limit(): number {
    return this.#generator.limit;
  }

  /** Returns the errors since the beginning of the current slice, by kind. */
  errorWords(): string {
    return countWords(sumOf(this.#pending).errors);
  }

  /** Sets the wanted number of streams. */
  want(streams: number): void {
    this.#generator.setStreams(streams);
  }

  /** Waits `ms` milliseconds. Reads the generator's counters once per second meanwhile. */
  async wait(ms: number): Promise<void> {
    const end = this.#clock.now() + ms;
    for (let left = ms; left > 0; left = end - this.#clock.now()) {
      await this.#pause(Math.min(left, lookEvery));
      await this.#look();
    }
  }

  /**
   * Sets the wanted number of streams and waits until they are open.
   * @param timeout ms
   * @returns whether the number was reached.
   */
  async reach(streams: number, timeout: number): Promise<boolean> {
    this.want(streams);
    const end = this.#clock.now() + timeout;
    do {
      await this.#pause(200);
      await this.#look();
      if (this.#last?.wanted === streams && this.#isReached(streams)) return true;
    } while (this.#clock.now() < end);
    return false;
  }

  /**
   * Waits until the server has released every stream. If the server does not report its number of streams, waits two
   * seconds.
   */
  async emptied(timeout: number): Promise<void> {
    const end = this.#clock.now() + timeout;
    while (this.#clock.now() < end) {
      await this.wait(1000);
      const open = (await this.#page())?.connections;
      if (open === 0) return;
      if (open === undefined) return this.wait(1000);
    }
  }

  #isReached(streams: number): boolean {
    return (
      this.open === streams ||
      (this.#options.disturbed === true && this.open > streams * disturbedShare && this.open < streams)
    );
  }

  /**
   * Begins the first slice: reads the server's and the generator's counters. Earlier counts of the generator are
   * discarded.
   */
  async begin(): Promise<Moment> {
    const moment = await this.#moment();
    this.#pending = [];
    return moment;
  }

  /**
   * Measures one slice of `seconds` seconds.
   * @param from end of the previous slice, or the result of `begin`. Consecutive slices leave no gap.
   */
  async slice(from: Moment, seconds: number): Promise<{ slice: Slice; end: Moment }> {
    await this.wait(from.at + seconds * 1000 - this.#clock.now());
    const end = await this.#moment();
    const sent = sumOf(this.#pending);
    this.#pending = [];
    return { slice: this.#between(from, end, sent), end };
  }

  /** Returns the server's current memory; undefined if unknown. */
  async memory(): Promise<MemoryReading | undefined> {
    const { pid } = this.target;
    if (pid !== undefined) return readMemory(pid);
    const bytes = (await this.#page())?.processRssBytes;
    return bytes === undefined ? undefined : { rssKb: bytes / 1024, pssKb: bytes / 1024 };
  }

  /** Reads the server's page; undefined when the server has no page. */
  async #page(): Promise<ServerReading | undefined> {
    const { metricsUrl } = this.target;
    if (metricsUrl === undefined) return undefined;
    for (let tries = 1; ; tries++) {
      try {
        return await fetchPage(metricsUrl);
      } catch (error) {
        this.#options.signal.throwIfAborted();
        if (tries === pageTries) {
          throw new PageSilent(this.target.name, error as Error);
        }
        await this.#pause(500);
      }
    }
  }

  async #moment(): Promise<Moment> {
    const page = await this.#page();
    const at = this.#clock.now();
    const { pid, familyPid } = this.target;
    const cpu = pid === undefined ? undefined : readCpu(pid);
    if (cpu?.size === 0) throw new Error(`${this.target.name} ended under load`);
    const others = pid === undefined || familyPid === undefined ? undefined : readCpu(familyPid, [pid]);
    await this.#look();
    return { at, page, cpu, others };
  }

  #between(from: Moment, end: Moment, sent: Sent): Slice {
    const change = (name: 'framesDecoded' | 'framesInvalid' | 'vadWindows' | 'dropped'): number =>
      (end.page?.[name] ?? 0) - (from.page?.[name] ?? 0);
    const pageCpu =
      end.page?.processCpuS === undefined || from.page?.processCpuS === undefined
        ? undefined
        : (end.page.processCpuS - from.page.processCpuS) * 1000;
    return {
      seconds: (end.at - from.at) / 1000,
      wanted: this.#last?.wanted ?? 0,
      open: this.open,
      sent,
      told: from.page !== undefined && end.page !== undefined,
      framesDecoded: change('framesDecoded'),
      framesInvalid: change('framesInvalid'),
      vadWindows: change('vadWindows'),
      dropped: change('dropped'),
      frameToVad:
        from.page && end.page
          ? gained(from.page.frameToVad, end.page.frameToVad)
          : { bounds: [], counts: [] },
      cpuMs: from.cpu && end.cpu ? cpuBetween(from.cpu, end.cpu) : pageCpu,
      othersCpuMs: from.others && end.others ? cpuBetween(from.others, end.others) : undefined,
      memory:
        this.target.pid !== undefined
          ? readMemory(this.target.pid)
          : end.page?.processRssBytes === undefined
            ? undefined
            : { rssKb: end.page.processRssBytes / 1024, pssKb: end.page.processRssBytes / 1024 },
      speechBufferBytes: end.page?.speechBufferBytes ?? 0,
    };
  }

  async #pause(ms: number): Promise<void> {
    this.#options.signal.throwIfAborted();
    await this.#clock.pause(ms);
    this.#options.signal.throwIfAborted();
  }

  async #look(): Promise<void> {
    const snapshot = await this.#generator.snapshot();
    this.#pending.push(snapshot);
    this.#last = snapshot;
    this.#errors = addCounts(this.#errors, snapshot.errors);
    this.#sinceTick.frames += snapshot.framesSent;
    const elapsed = (snapshot.atMs - this.#sinceTick.atMs) / 1000;
    if (elapsed < 0.5) return;
    const { frames } = this.#sinceTick;
    this.#sinceTick = { atMs: snapshot.atMs, frames: 0 };
    this.#options.onTick?.({
      wanted: snapshot.wanted,
      open: snapshot.open,
      framesPerS: frames / elapsed,
      cpuCores: this.#cores(),
      errors: this.#errors,
    });
  }

  #cores(): number | undefined {
    const { pid } = this.target;
    if (pid === undefined) return undefined;
    const [before, now] = [this.#lastCpu, { at: this.#clock.now(), cpu: readCpu(pid) }];
    this.#lastCpu = now;
    return before && now.at > before.at ? cpuBetween(before.cpu, now.cpu) / (now.at - before.at) : undefined;
  }
}
