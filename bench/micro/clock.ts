import { readFileSync } from 'node:fs';

/**
 * CPU time of this process in ns, all threads. Unlike wall time it does not count what neighbours of the machine took
 * while this process could not run.
 */
export const processCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

/**
 * CPU time of the calling thread in ns, or undefined where the system does not tell. Source: the first field of
 * `schedstat` of Linux (Documentation/scheduler/sched-stats).
 */
export const threadCpu = (): number | undefined => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);
  } catch {
    return undefined;
  }
};

/** CPU time in ns a piece of work takes, divided by the units of work in it. */
export const cpuPerUnit = async (units: number, work: () => unknown): Promise<number> => {
  const before = processCpu();
  await work();
  return (processCpu() - before) / units;
};
