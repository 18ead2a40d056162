import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { usualGate } from '../../src/wire/gate.js';
import { modelPath } from './model.js';
import { isPrepared, prepareEnvironment } from './virtual-environment.js';

/** The command of the Python server, or the reason why it is skipped. */
export type PreparedServer =
  | { readonly python: string; readonly words: readonly string[] }
  | { readonly skipped: string };

const run = promisify(execFile);
// The path leads to the source folder, because Python sources are not copied to the folder of compiled files.
const server = fileURLToPath(new URL('../../../bench/peers/python/server.py', import.meta.url));
const environment = { name: 'python', requirements: 'bench/peers/python/requirements.txt' } as const;

/** Returns whether the environment can be used without an installation. */
export const pythonIsReady = (): Promise<boolean> => isPrepared(environment);

/**
 * Returns the command of the Python server. Creates its virtual environment on first use, under `build/bench/python`.
 * Progress is printed on stderr.
 */
export const preparePython = async (): Promise<PreparedServer> => {
  const prepared = await prepareEnvironment(environment);
  if ('skipped' in prepared) return prepared;
  const { python } = prepared;
  try {
    await run(python, ['-c', 'import opuslib']);
  } catch {
    return { skipped: 'libopus is missing (Debian: libopus0)' };
  }
  return { python, words: [server, modelPath(), JSON.stringify(usualGate)] };
};
