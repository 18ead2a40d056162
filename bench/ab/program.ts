import { spawn } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Signal that ends the program when it is aborted. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ProgramResult {
  readonly code: number | null;
  /** The last 64 KiB of standard output and standard error. */
  readonly output: string;
}

const kept = 65_536;

/**
 * Runs a program to its end.
 * @throws the system's error if it does not start; the signal's reason if the signal ended it.
 */
export const runProgram = (
  command: string,
  args: readonly string[],
  { cwd, env, signal }: ProgramOptions,
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // Creates a process group, so that programs started by build tools end with the program.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGTERM');
      } catch {
        // The error means that the program has ended already.
      }
    };
    signal?.addEventListener('abort', end);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-kept);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code, output });
    });
  });

/** Returns the most informative line of a failed program's output. */
export const tellingLine = (output: string): string => {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return (
    lines.find((line) => /error TS\d|(error|Error): |fatal|CMake Error/.test(line)) ??
    lines.at(-1) ??
    'it said nothing'
  ).slice(0, 200);
};
