import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const cached = new Map<number, string | undefined>();

/**
 * When a process started, as `ps` of POSIX systems tells it, or undefined. Two processes have to read the same, whatever the
 * language and the time zone that they were started with.
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

/** When a process started, in the unit of the system; undefined when there is no such process. */
const startOf = (pid: number): string | undefined => {
  try {
    // The name of the program, the second field, may contain spaces and parentheses; the start is the 20th field after it.
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
 * Names this process so that a later one with the same process id can be told apart (ids repeat, in containers at every
 * start). It is the same in all threads of a process and consists of letters, digits and dots.
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
