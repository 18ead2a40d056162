import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const cached = new Map<number, string | undefined>();

/** When a process started, in whatever unit the system gives; undefined when there is no such process. */
const startOf = (pid: number): string | undefined => {
  try {
    // The name, second field, may hold spaces and parentheses; the start is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return `${fields[19]}.${boot}`;
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return started.replace(/\W+/g, '') || undefined;
  } catch {
    return undefined;
  }
};

/**
 * Names a process so that a later one with the same number is told apart (numbers repeat, in containers at every
 * start). The same in all threads of a process. Letters, digits, dots.
 */
export const processToken = (): string => {
  const start = cached.get(process.pid) ?? startOf(process.pid) ?? '0';
  cached.set(process.pid, start);
  return `${process.pid}.${start}`;
};

/** Whether the process a token names still runs on this machine. */
export const isAlive = (token: string): boolean => {
  const [pid = '', ...start] = token.split('.');
  return startOf(Number(pid)) === start.join('.');
};
