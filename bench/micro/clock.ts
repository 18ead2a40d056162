import { readFileSync } from 'node:fs';

/**
 * Returns the CPU time in ns of all threads of this process. Unlike wall time, it does not include times in which other
 * processes used the CPU.
 */
export const processCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

/**
 * Returns the CPU time of the calling thread in ns, or undefined if the system does not report it. Source: the first field of Linux
 * `schedstat` (Documentation/scheduler/sched-stats).
 */
export const threadCpu = (): number | undefined => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);
  } catch {
    return undefined;
  }
};

/** Runs `work` and returns its CPU time in ns divided by `units`, its number of units. */
export const cpuPerUnit = async (units: number, work: () => unknown): Promise<number> => {
  const before = processCpu();
  await work();
  return (processCpu() - before) / units;
};
