import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const cached = new Map<number, string | undefined>();

/**
 * Start time of a process from POSIX `ps`, or undefined. Fixed language and time zone make all processes read the same text.
 */
export const startByPs = (pid: number): string | undefined => {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env });
    return started.replace(/\W+/g, '') || undefined;
  } catch {
    return undefined;
  }
};

/** Start time of a process, in a unit of the system; undefined if there is no such process. */
const startOf = (pid: number): string | undefined => {
  try {
    // The second field is the program's name, which may contain spaces and parentheses. The start time is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return `${fields[19]}.${boot}`;
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  return startByPs(pid);
};

/**
 * Token of this process, which differs from the token of a later process with the same process id. Ids repeat, in containers at every
 * start. The token is the same in all threads of a process, and consists of letters, digits and dots.
 */
export const processToken = (): string => {
  const start = cached.get(process.pid) ?? startOf(process.pid) ?? '0';
  cached.set(process.pid, start);
  return `${process.pid}.${start}`;
};

/** Whether the process with this token still runs on this machine. */
export const isAlive = (token: string): boolean => {
  const [pid = '', ...start] = token.split('.');
  return startOf(Number(pid)) === start.join('.');
};
