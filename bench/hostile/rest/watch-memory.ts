import { readFileSync } from 'node:fs';

/** Highest resident memory of each process during a phase, in MiB. */
export interface PeakMemory {
  readonly sidecar: number;
  readonly engine: number;
}

/** Ms between two readings. */
const pause = 25;

const residentMib = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended, or the system has no such files.
    return 0;
  }
};

/** Watches the memory of a product. @returns a function that stops and returns the peaks. */
export const watchMemory = (pids: {
  readonly sidecarPid: number;
  readonly enginePid: number;
}): (() => PeakMemory) => {
  let [sidecar, engine] = [0, 0];
  const look = (): void => {
    sidecar = Math.max(sidecar, residentMib(pids.sidecarPid));
    engine = Math.max(engine, residentMib(pids.enginePid));
  };
  look();
  const timer = setInterval(look, pause);
  return () => {
    clearInterval(timer);
    look();
    return { sidecar, engine };
  };
};
