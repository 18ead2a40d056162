import { execFileSync, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { endChild } from '../fleet/child-process.js';
import type { HostileCounts, HostileCrowd } from './hostile-kinds.js';
import type { HostileOrder } from './hostile-program.js';

const program = fileURLToPath(new URL('hostile-program.js', import.meta.url));
/** Maximum ms in which the process must end its connections. */
const endTimeout = 5000;

/** A hostile crowd in its own process. */
export interface HostileProcess {
  /**
   * Resolves after the first report of counts, or when the process has ended. On a busy machine the first report may be
   * late.
   */
  readonly begun: Promise<void>;
  /**
   * Returns the last reported counts; undefined before the first report. The first report arrives after about a second.
   */
  counts(): HostileCounts | undefined;
  /** Ends the crowd. @throws Error when the process had already ended. */
  stop(): Promise<void>;
}

/**
 * Gives a process only CPU time that other processes leave, because attackers of a real server use their own machines.
 *
 * Linux first shares a CPU among sessions, so the niceness of the session counts (autogroup in sched(7)). If a CPU runs
 * only threads of the policy `idle`, the scheduler treats it as idle and moves other threads there.
 */
export const yieldTo = (pid: number): void => {
  const attempts = [
    () => writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW)),
    () => execFileSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)], { stdio: 'ignore' }),
    () => setPriority(pid, constants.priority.PRIORITY_LOW),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // The system is not Linux or lacks `chrt`. The other settings still apply.
    }
  }
};

/**
 * Starts a crowd against a server on this machine.
 * @param url `ws://127.0.0.1:PORT`
 * @param seconds time after which the crowd ends, even if it is not stopped.
 * @throws Error for any host other than loopback.
 */
export const startHostile = (url: string, crowd: HostileCrowd, seconds: number): HostileProcess => {
  const { hostname, port } = new URL(url);
  if (hostname !== '127.0.0.1') throw new Error(`hostile clients go to 127.0.0.1 only, not to ${hostname}`);
  // A detached process has its own session, which `yieldTo` needs.
  const child = fork(program, { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  if (child.pid !== undefined) yieldTo(child.pid);
  let last: HostileCounts | undefined;
  let early: string | undefined;
  const begun = new Promise<void>((resolve) => {
    child.on('message', (counts: HostileCounts) => {
      last = counts;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const order: HostileOrder = { port: Number(port), crowd, seconds };
  child.send(order);
  const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
    early = `the hostile clients ended by themselves with ${signal ?? code}`;
  };
  child.once('exit', onExit);
  return {
    begun,
    counts: () => last,
    async stop() {
      child.off('exit', onExit);
      await endChild(child, endTimeout);
      if (early !== undefined) throw new Error(early);
    },
  };
};
