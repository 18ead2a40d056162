import { readdirSync, readFileSync } from 'node:fs';

/** Length in ms of a clock tick in `/proc/PID/stat`. USER_HZ is 100 on every Linux that Node supports. */
const tickMs = 10;
/**
 * Maximum ms by which the time in ticks may differ from the time in nanoseconds, because user and system time are each
 * rounded to a tick.
 */
const rounding = 4 * tickMs;

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The words of the process's command line, separated by blanks. */
  readonly command: string;
  /**
   * CPU time in ms of all threads, including threads and reaped children that have ended. The kernel counts it in
   * ticks.
   */
  readonly ticksMs: number;
}

const readStat = (pid: number): Omit<ProcessEntry, 'command'> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name may contain blanks and brackets, so the fields are counted from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { pid, parent: Number(fields[1]), ticksMs: ticks * tickMs };
  } catch {
    // The process ended meanwhile.
    return undefined;
  }
};

const readCommand = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

/** Returns a process and all its living descendants. Empty when the process has ended. */
export const familyOf = (root: number): ProcessEntry[] => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const found = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of all) {
      if (found.has(parent) && !found.has(pid)) grew = Boolean(found.add(pid));
    }
  }
  return all
    .filter(({ pid }) => found.has(pid))
    .map((entry) => ({ ...entry, command: readCommand(entry.pid) }));
};

/** CPU time of one process so far. */
interface ProcessTime {
  readonly ticksMs: number;
  /** CPU time of each living thread, ns. */
  readonly threads: ReadonlyMap<string, number>;
}

/** CPU times of a process and its descendants, with their threads. `cpuBetween` compares two readings. */
export type CpuReading = ReadonlyMap<number, ProcessTime>;

const readThreads = (pid: number): ReadonlyMap<string, number> => {
  const threads = new Map<string, number>();
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      // The first field of schedstat is the ns that the thread has spent on a CPU
      // (Documentation/scheduler/sched-stats).
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
      threads.set(thread, Number(text.split(' ', 1)[0]));
    }
  } catch {
    // The thread or process has ended, or the kernel has no such statistics. The ticks are then used.
    return new Map();
  }
  return threads;
};

/**
 * Reads the CPU time of a process and its descendants.
 * @param except ids of processes to leave out, with their descendants.
 */
export const readCpu = (root: number, except: readonly number[] = []): CpuReading => {
  const left = new Set(except.flatMap((pid) => familyOf(pid).map((entry) => entry.pid)));
  return new Map(
    familyOf(root)
      .filter(({ pid }) => !left.has(pid))
      .map(({ pid, ticksMs }) => [pid, { ticksMs, threads: readThreads(pid) }]),
  );
};

const processMs = (before: ProcessTime | undefined, after: ProcessTime): number => {
  const ticks = after.ticksMs - (before?.ticksMs ?? 0);
  if (after.threads.size === 0) return ticks;
  let exact = 0;
  for (const [thread, ns] of after.threads) exact += ns - (before?.threads.get(thread) ?? 0);
  exact /= 1e6;
  // Only ticks include threads and reaped children that have ended. So the ticks are used if they exceed the exact
  // time.
  return Math.abs(exact - ticks) <= rounding ? exact : Math.max(exact, ticks);
};

/**
 * Returns the CPU time in ms between two readings of the same root process. It is exact to a few us if all threads
 * lived throughout, otherwise to 40 ms per process.
 *
 * If a process ended in between, its parent's time contains the process's time as soon as the parent has reaped it.
 */
export const cpuBetween = (before: CpuReading, after: CpuReading): number => {
  let sum = 0;
  for (const [pid, time] of after) sum += processMs(before.get(pid), time);
  // The parent has reaped the child, so the parent's time contains all of the child's time. The child's time at the
  // first reading is subtracted.
  for (const [pid, time] of before) if (!after.has(pid)) sum -= time.ticksMs;
  return Math.max(0, sum);
};

export interface MemoryReading {
  /** Resident memory in KB. A page that several processes share counts for each of them. */
  readonly rssKb: number;
  /** Resident memory in KB. A page that several processes share is divided among them. */
  readonly pssKb: number;
}

/**
 * Returns the memory of a process and its descendants. The call takes some ms, because the kernel visits every page.
 */
export const readMemory = (root: number): MemoryReading => {
  let rssKb = 0;
  let pssKb = 0;
  for (const { pid } of familyOf(root)) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      rssKb += Number(/^Rss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
      pssKb += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    } catch {
      // The process ended meanwhile.
    }
  }
  return { rssKb, pssKb };
};
