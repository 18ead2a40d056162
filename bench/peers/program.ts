import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endChild } from '../fleet/child-process.js';
import type { Target } from '../fleet/target.js';

/** Command that starts a server. The server prints `{"port":...,"versions":{...}}` as soon as it listens. */
export interface Program {
  readonly command: string;
  readonly words: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

interface Hello {
  readonly port: number;
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * `begin`: maximum ms for a server to start. `end`: ms after which a server is killed if it does not end on request.
 */
const timeouts = { begin: 60_000, end: 10_000 };

const hello = (name: string, child: ChildProcess): Promise<Hello> =>
  new Promise((resolve, reject) => {
    let words = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2000);
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeouts.begin);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`the server "${name}" ended with ${signal ?? code} before it listened\n${words}`));
    });
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(line) as Hello);
      } catch {
        child.kill('SIGKILL');
        reject(new Error(`the server "${name}" began with ${line}`));
      }
    });
  });

/**
 * Starts a server and waits until it listens.
 * @param cpus CPU cores that the server may use, in the syntax of `taskset -c`.
 */
export const startProgram = async (name: string, program: Program, cpus?: string): Promise<Target> => {
  const words = [program.command, ...program.words];
  if (cpus !== undefined) words.unshift('taskset', '-c', cpus);
  const child = spawn(words[0]!, words.slice(1), {
    env: { ...process.env, ...program.env },
    // The server's standard input is a pipe from this process. The server ends when the pipe closes, so it cannot run
    // longer than this process.
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { port, versions } = await hello(name, child);
  return {
    name,
    url: `ws://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${port}/metrics`,
    pid: child.pid!,
    versions,
    stop: () => endChild(child, timeouts.end),
  };
};
