/** Runs `cochlea bench` in its own process, and finds processes that still run after the command's end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { allProcesses } from './service.js';

export const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));

/** Runs `cochlea bench` with these arguments until it ends. */
export const bench = async (
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; out: string; error: string }> => {
  const child = spawn(process.execPath, [command, 'bench', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit');
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await ended)[0] as number | null, out, error };
};

/** Returns the command lines of all processes whose environment contains the path of a folder. */
export const startedWith = (folder: string): string[] =>
  allProcesses()
    .filter(({ pid }) => {
      try {
        return pid !== process.pid && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
      } catch {
        // The process has ended, or it belongs to another user.
        return false;
      }
    })
    .map(({ command: words }) => words);
