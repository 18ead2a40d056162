/** Processes of the fleet. They outlive the command that starts them, so they are known by process id and start time. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../src/app/privileges/index.js';

/**
 * Identifies a process. Its id alone may later belong to another process, so `start` is its start time in clock ticks
 * since the boot.
 */
export interface ProcessToken {
  readonly pid: number;
  readonly start: string;
}

interface Seen extends ProcessToken {
  readonly parent: number;
  readonly state: string;
}

/**
 * Reads the state of a process.
 * @returns undefined if the process has ended, even if its parent has not reaped it yet.
 */
const look = (pid: number): Seen | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses. The name may contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    return { pid, start: fields[19]!, parent: Number(parent), state };
  } catch {
    return undefined;
  }
};

/** @throws Error on systems without /proc. */
export const requireProc = (): void => {
  if (!existsSync('/proc/self/stat'))
    throw new Error('The laptop fleet needs Linux, because it reads /proc.');
};

export const isAlive = (token: ProcessToken | undefined): boolean =>
  token !== undefined && look(token.pid)?.start === token.start;

/** Returns a process and all its descendants; nothing if it has ended. */
export const familyOf = (token: ProcessToken): ProcessToken[] => {
  if (!isAlive(token)) return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => look(Number(name)) ?? []);
  const found = new Map([[token.pid, token]]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent, start } of all) {
      if (!found.has(parent) || found.has(pid)) continue;
      found.set(pid, { pid, start });
      grew = true;
    }
  }
  return [...found.values()];
};

/** Sends a signal, unless the process has ended. */
export const send = (token: ProcessToken, signal: NodeJS.Signals): void => {
  if (!isAlive(token)) return;
  try {
    process.kill(token.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/**
 * Waits for a condition by repeated checks.
 * @param timeout ms
 * @throws Error after the timeout.
 */
export const waitFor = async <Value>(
  what: string,
  timeout: number,
  check: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> => {
  const deadline = performance.now() + timeout;
  for (let wait = 5; ; wait = Math.min(100, 2 * wait)) {
    const value = await check();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeout / 1000} s`);
    await sleep(wait);
  }
};

/** Ms within which the kernel ends a killed process. */
const killTimeout = 20_000;

const allGone = (what: string, tokens: readonly ProcessToken[], timeout: number): Promise<true> =>
  waitFor(what, timeout, () => tokens.every((token) => !isAlive(token)));

/**
 * Stops a process and its descendants. A stopped process starts no other process, so the list is complete.
 * @returns all stopped processes.
 */
export const pauseFamily = (token: ProcessToken): ProcessToken[] => {
  for (let known = 0; ; ) {
    const family = familyOf(token);
    for (const one of family) send(one, 'SIGSTOP');
    if (family.length === known) return family;
    known = family.length;
  }
};

export const resumeFamily = (token: ProcessToken): void => {
  for (const one of familyOf(token).reverse()) send(one, 'SIGCONT');
};

/** Kills a process and its descendants, and waits until all of them have ended. */
export const killFamily = async (token: ProcessToken): Promise<void> => {
  const family = pauseFamily(token);
  for (const one of family) send(one, 'SIGKILL');
  await allGone(`end of process ${token.pid}`, family, killTimeout);
};

/**
 * Asks a process to end. After `timeout` ms, kills the process and its descendants.
 * @param timeout ms
 * @returns whether the process ended by itself.
 */
export const endFamily = async (
  token: ProcessToken,
  signal: NodeJS.Signals,
  timeout: number,
): Promise<boolean> => {
  const family = familyOf(token);
  for (const one of family) send(one, 'SIGCONT');
  send(token, signal);
  try {
    await allGone('', family, timeout);
    return true;
  } catch {
    for (const one of family) send(one, 'SIGKILL');
    await killFamily(token);
    await allGone(`end of process ${token.pid}`, family, killTimeout);
    return false;
  }
};

export interface StartOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** File to which output is added. */
  readonly log: string;
  readonly cwd: string;
  /** Account of the process, if root starts it. */
  readonly account: Account | undefined;
  /** Network namespace to enter. Needs root. */
  readonly namespace?: string | undefined;
}

/** Starts a process that outlives this one. @throws Error if the program cannot be started. */
export const startDetached = async (options: StartOptions): Promise<ProcessToken> => {
  const { account, namespace } = options;
  const output = openSync(options.log, 'a', 0o600);
  try {
    // nsenter becomes the program, so the process id is that of the program.
    const enter = account ? [`--setuid=${account.uid}`, `--setgid=${account.gid}`] : [];
    const [program, args] =
      namespace === undefined
        ? [options.program, options.args]
        : ['nsenter', [`--net=/run/netns/${namespace}`, ...enter, '--', options.program, ...options.args]];
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', output, output],
      ...(account && namespace === undefined ? { uid: account.uid, gid: account.gid } : {}),
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    const { pid } = child;
    return { pid: pid!, start: look(pid!)?.start ?? 'ended' };
  } finally {
    closeSync(output);
  }
};
