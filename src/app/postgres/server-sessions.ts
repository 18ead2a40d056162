import { readFileSync, writeFileSync } from 'node:fs';
import { databaseNiceness } from '../../config/process/index.js';

/** Number of ms between two searches for new processes. */
const lookPause = 1000;

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The read fails if the system is not Linux, if the kernel lacks this file, or if the process has ended.
    return undefined;
  }
};

/** Returns the name of a process's autogroup. A session has one autogroup. */
const groupOf = (pid: string): string | undefined => read(`/proc/${pid}/autogroup`)?.split(' ')[0];

const setNiceness = (pid: string): boolean => {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(databaseNiceness));
    return true;
  } catch {
    // Linux may refuse the change, because it limits the rate for users other than root. The process may also have
    // ended.
    return false;
  }
};

/**
 * Applies the niceness of a PostgreSQL server to its processes. Every process of the server leads a session of its own.
 *
 * Linux may divide processor time among sessions (`sched_autogroup_enabled`, autogroup in sched(7)). A new session then
 * has niceness 0, so each connection would get more processor time than all threads of the sidecar. If Linux does not
 * divide processor time in this way, the function does nothing.
 * @param pid process id of the server.
 * @returns a function that ends the watch. The watch does not keep this process alive.
 */
export const watchServerSessions = (pid: number): (() => void) => {
  if (read('/proc/sys/kernel/sched_autogroup_enabled')?.trim() !== '1') return () => undefined;
  const server = String(pid);
  let known = new Set<string>();
  const look = (): void => {
    const children = (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean);
    const group = groupOf(server);
    // A child that has just started is still in the session of the server, and leads its own session only later. If its
    // niceness is set before that, the niceness does not apply to its own session.
    const leads = (child: string): boolean => child === server || groupOf(child) !== group;
    known = new Set(
      [server, ...children].filter((child) => known.has(child) || (leads(child) && setNiceness(child))),
    );
  };
  look();
  const timer = setInterval(look, lookPause);
  timer.unref();
  return () => clearInterval(timer);
};
