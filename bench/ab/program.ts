import { spawn } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the program, and the promise with its reason. */
  readonly signal?: AbortSignal;
}

export interface ProgramResult {
  readonly code: number | null;
  /** The last 64 KiB of what it wrote to both outputs. */
  readonly output: string;
}

const kept = 65_536;

/**
 * Runs a program to its end.
 * @throws what the system throws when it cannot be started, the signal's reason when that ends it.
 */
export const runProgram = (
  command: string,
  args: readonly string[],
  { cwd, env, signal }: ProgramOptions,
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // A group of its own: build tools start programs of their own, which have to end with them.
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
        // It is gone.
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

/** The line of a failed program's output that tells most. */
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
