import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Resolves when a child process has ended. If it has already ended, resolves at once. */
export const gone = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

/**
 * Waits for a matching line on a child's standard output, which must be a pipe. Later output is read and discarded.
 * @param timeout ms
 * @throws Error when the child ends or the timeout passes first.
 */
export const lineOf = (child: ChildProcess, wanted: RegExp, timeout: number): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout! });
    const timer = setTimeout(() => reject(new Error(`no line ${wanted} within ${timeout} ms`)), timeout);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${signal ?? code} before it was ready`));
    });
    lines.on('line', (line) => {
      const found = wanted.exec(line);
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    });
  });

/**
 * Asks a child process to end.
 * @param timeout ms after which the process is killed.
 */
export const endChild = async (child: ChildProcess, timeout: number): Promise<void> => {
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), timeout);
  await gone(child);
  clearTimeout(hard);
};
