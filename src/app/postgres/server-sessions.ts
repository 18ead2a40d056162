import { readFileSync, writeFileSync } from 'node:fs';
import { databaseNiceness } from '../../config/process/index.js';

/** Ms between two looks for new processes. */
const lookPause = 1000;

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Another system, a kernel without this file, or a process that has ended.
    return undefined;
  }
};

const setNiceness = (pid: string): boolean => {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(databaseNiceness));
    return true;
  } catch {
    // Linux takes few such changes a second from others than root; and the process may have ended.
    return false;
  }
};

/**
 * Gives the sessions of a PostgreSQL server its niceness. Every process of the server leads a session, and where Linux shares the processor
 * among sessions first (`sched_autogroup_enabled`, autogroup in sched(7)) a new session has niceness 0: each connection would have more of
 * the processor than all threads of the sidecar. Does nothing where there are no such sessions.
 * @param pid of the server.
 * @returns what ends the watch. It keeps no process alive.
 */
export const watchServerSessions = (pid: number): (() => void) => {
  if (read('/proc/sys/kernel/sched_autogroup_enabled')?.trim() !== '1') return () => undefined;
  let known = new Set<string>();
  const look = (): void => {
    const children = (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean);
    known = new Set([String(pid), ...children].filter((child) => known.has(child) || setNiceness(child)));
  };
  look();
  const timer = setInterval(look, lookPause);
  timer.unref();
  return () => clearInterval(timer);
};
