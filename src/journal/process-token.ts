import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const cached = new Map<number, string | undefined>();

/**
 * Returns the start time of a process from POSIX `ps`; undefined if there is no such process. Language and time zone of
 * `ps` are fixed, so that every process gets the same text.
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

/** Returns the start time of a process, in a unit of the operating system; undefined if there is no such process. */
const startOf = (pid: number): string | undefined => {
  try {
    // The second field is the program's name in parentheses, and the name may itself contain spaces and
    // parentheses. The start time is the 20th field after the name.
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
 * Returns a token that identifies this process. Process ids repeat, in containers even at every start, so the token
 * also contains the start time. The token is the same in all threads of a process. It consists of letters, digits and
 * dots.
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
