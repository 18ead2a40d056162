import { setTimeout as pause } from 'node:timers/promises';
import { mergeCounted } from './counted.js';
import type { Counted, Generator, GeneratorSnapshot } from './generator.js';
import { type CpuReading, cpuBetween, type MemoryReading, readCpu, readMemory } from './process-usage.js';
import { type Distribution, fetchPage, gained, type ServerReading } from './server-page.js';
import type { Target } from './target.js';

/** What generators did over some time: counts are sums, gauges the last ones. */
export interface Sent {
  readonly framesSent: number;
  readonly bytesSent: number;
  readonly audioMs: number;
  readonly framesBlocked: number;
  readonly connects: number;
  readonly reconnects: number;
  readonly segmentsReceived: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly lateness: Counted;
  readonly segmentLag: Counted;
  readonly connectTime: Counted;
  readonly cpuMs: number;
}

/** What happened between two moments at which server and generator were read. */
export interface Slice {
  readonly seconds: number;
  readonly wanted: number;
  /** Streams open at the end. */
  readonly open: number;
  readonly sent: Sent;
  /** Whether the server showed its page; without one, what it did is not known. */
  readonly told: boolean;
  readonly framesDecoded: number;
  readonly framesInvalid: number;
  readonly vadWindows: number;
  readonly dropped: number;
  readonly frameToVad: Distribution;
  /** CPU of the server, ms; undefined where nothing tells. */
  readonly cpuMs?: number;
  /** CPU of the rest of its family, ms. */
  readonly othersCpuMs?: number;
  readonly memory?: MemoryReading;
  readonly speechBufferBytes: number;
}

/** What a viewer is told once a second. */
export interface Tick {
  readonly wanted: number;
  readonly open: number;
  readonly framesPerS: number;
  readonly cpuCores?: number;
  readonly errors: number;
}

interface Moment {
  readonly at: number;
  readonly page?: ServerReading;
  readonly cpu?: CpuReading;
  readonly others?: CpuReading;
}

/** ms between two looks at the generator while something is waited for. */
const lookEvery = 1000;
/** ms a page may be late before the session gives up on the server: an overloaded one answers late. */
const pageTries = 4;

const addCounts = (
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum: Record<string, number> = { ...a };
  for (const [kind, count] of Object.entries(b)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
};

/** Sums up what the generator told piece by piece. */
export const sumOf = (parts: readonly (Sent | GeneratorSnapshot)[]): Sent => {
  const total = (pick: (part: Sent) => number): number => parts.reduce((sum, part) => sum + pick(part), 0);
  return {
    framesSent: total((part) => part.framesSent),
    bytesSent: total((part) => part.bytesSent),
    audioMs: total((part) => part.audioMs),
    framesBlocked: total((part) => part.framesBlocked),
    connects: total((part) => part.connects),
    reconnects: total((part) => part.reconnects),
    segmentsReceived: total((part) => part.segmentsReceived),
    errors: parts.reduce<Record<string, number>>((sum, { errors }) => addCounts(sum, errors), {}),
    lateness: mergeCounted(parts.map(({ lateness }) => lateness)),
    segmentLag: mergeCounted(parts.map(({ segmentLag }) => segmentLag)),
    connectTime: mergeCounted(parts.map(({ connectTime }) => connectTime)),
    cpuMs: total((part) => part.cpuMs),
  };
};

const countOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** One server under load: changes the number of streams and measures from moment to moment. */
export class Session {
  readonly target: Target;
  readonly #generator: Generator;
  readonly #signal: AbortSignal;
  readonly #onTick: (tick: Tick) => void;
  #pending: GeneratorSnapshot[] = [];
  #last: GeneratorSnapshot | undefined;
  #lastCpu: { at: number; cpu: CpuReading } | undefined;
  #errors = 0;
  #sinceTick = { atMs: 0, frames: 0 };

  /**
   * @param generator is the caller's, who stops it.
   * @param signal ends every wait with its reason.
   * @param onTick is told how it goes, about once a second.
   */
  constructor(
    target: Target,
    generator: Generator,
    signal: AbortSignal,
    onTick: (tick: Tick) => void = () => undefined,
  ) {
    this.target = target;
    this.#generator = generator;
    this.#signal = signal;
    this.#onTick = onTick;
  }

  /** The generator as it was when it was last looked at. */
  get open(): number {
    return this.#last?.open ?? 0;
  }

  /** Streams that this machine can open. */
  get limit(): number {
    return this.#generator.limit;
  }

  /** What went wrong since the last slice began, by kind. */
  errorWords(): string {
    return Object.entries(sumOf(this.#pending).errors)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ');
  }

  /** Wants so many streams from now on. */
  want(streams: number): void {
    this.#generator.setStreams(streams);
  }

  /** Lets time pass. */
  async wait(ms: number): Promise<void> {
    const end = performance.now() + ms;
    for (let left = ms; left > 0; left = end - performance.now()) {
      await this.#pause(Math.min(left, lookEvery));
      await this.#look();
    }
  }

  /**
   * Wants so many streams and waits until they are open.
   * @param patience ms
   * @returns whether they came to be.
   */
  async reach(streams: number, patience: number): Promise<boolean> {
    this.want(streams);
    const end = performance.now() + patience;
    do {
      await this.#pause(200);
      await this.#look();
      if (this.open === streams && this.#last?.wanted === streams) return true;
    } while (performance.now() < end);
    return false;
  }

  /** Waits until the server has let go of every stream; for two seconds where it does not tell how many it has. */
  async emptied(patience: number): Promise<void> {
    const end = performance.now() + patience;
    while (performance.now() < end) {
      await this.wait(1000);
      const open = (await this.#page())?.connections;
      if (open === 0) return;
      if (open === undefined) return this.wait(1000);
    }
  }

  /** Reads what the generator did until now and forgets it: the next slice begins here. */
  async begin(): Promise<Moment> {
    const moment = await this.#moment();
    this.#pending = [];
    return moment;
  }

  /**
   * Measures for a while.
   * @param from where the last slice ended, or `begin`; slices that follow each other leave nothing out.
   */
  async slice(from: Moment, seconds: number): Promise<{ slice: Slice; end: Moment }> {
    await this.wait(from.at + seconds * 1000 - performance.now());
    const end = await this.#moment();
    const sent = sumOf(this.#pending);
    this.#pending = [];
    return { slice: this.#between(from, end, sent), end };
  }

  /** Memory of the server now; undefined where nothing tells. */
  async memory(): Promise<MemoryReading | undefined> {
    const { pid } = this.target;
    if (pid !== undefined) return readMemory(pid);
    const bytes = (await this.#page())?.processRssBytes;
    return bytes === undefined ? undefined : { rssKb: bytes / 1024, pssKb: bytes / 1024 };
  }

  /** The server's page; undefined when it has none. */
  async #page(): Promise<ServerReading | undefined> {
    const { metricsUrl } = this.target;
    if (metricsUrl === undefined) return undefined;
    for (let tries = 1; ; tries++) {
      try {
        return await fetchPage(metricsUrl);
      } catch (error) {
        this.#signal.throwIfAborted();
        if (tries === pageTries) {
          throw new Error(`${this.target.name} does not show its page any more: ${(error as Error).message}`);
        }
        await this.#pause(500);
      }
    }
  }

  async #moment(): Promise<Moment> {
    const page = await this.#page();
    const at = performance.now();
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
    this.#signal.throwIfAborted();
    await pause(ms);
    this.#signal.throwIfAborted();
  }

  async #look(): Promise<void> {
    const snapshot = await this.#generator.snapshot();
    this.#pending.push(snapshot);
    this.#last = snapshot;
    this.#errors += countOf(snapshot.errors);
    this.#sinceTick.frames += snapshot.framesSent;
    const elapsed = (snapshot.atMs - this.#sinceTick.atMs) / 1000;
    if (elapsed < 0.5) return;
    const { frames } = this.#sinceTick;
    this.#sinceTick = { atMs: snapshot.atMs, frames: 0 };
    this.#onTick({
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
    const [before, now] = [this.#lastCpu, { at: performance.now(), cpu: readCpu(pid) }];
    this.#lastCpu = now;
    return before && now.at > before.at ? cpuBetween(before.cpu, now.cpu) / (now.at - before.at) : undefined;
  }
}
