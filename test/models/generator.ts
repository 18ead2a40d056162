/** Runs the generator of the graphs, in a Python environment that is made once. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../src/config/load-settings.js';
import { dataDirectory, packageDirectory } from '../../src/config/process/data-dir.js';
import type { WhisperParameters } from '../../src/models/manifest/whisper-parameters.js';

export const graphs = join(packageDirectory(), 'src', 'models', 'graphs');
const program = join(graphs, 'generate');
const requirements = join(program, 'requirements.txt');

const run = (command: string, ...parameters: string[]): { ok: boolean; said: string } => {
  const { status, stderr, error } = spawnSync(command, parameters, {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  return { ok: status === 0, said: error ? error.message : (stderr.trim().split('\n').at(-1) ?? '') };
};

/** Makes a Python with the generator's packages, once per version. @returns its path, or why it is missing. */
const python = (): { path: string } | { missing: string } => {
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const place = join(dataDirectory(loadSettings().values), `graphs-python-${version}`);
  const path = join(place, 'bin', 'python');
  const complete = join(place, 'complete');
  if (existsSync(complete)) return { path };
  rmSync(place, { recursive: true, force: true });
  const made = run('python3', '-m', 'venv', place);
  if (!made.ok) return { missing: `no Python environment: ${made.said}` };
  const installed = run(
    path,
    '-m',
    'pip',
    'install',
    '--quiet',
    '--timeout',
    '15',
    '--retries',
    '1',
    '-r',
    requirements,
  );
  if (!installed.ok) return { missing: `no onnx package: ${installed.said}` };
  // The marker is written last, so that an interrupted installation is repeated.
  writeFileSync(complete, '');
  return { path };
};

const found = python();

/** Why the generator cannot run; false if it can. */
export const withoutGenerator: string | false = 'missing' in found ? found.missing : false;

/**
 * Runs the generator.
 * @param whisper parameters of the Whisper models. They are written into the folder `out`, and removed.
 * @returns whether it succeeded, and the last line of its error output.
 */
export const generate = (
  out: string,
  whisper: Readonly<Record<string, WhisperParameters>>,
  ...options: string[]
): { ok: boolean; said: string } => {
  const parameters = join(out, 'whisper.json');
  writeFileSync(parameters, JSON.stringify(whisper));
  const result = run('path' in found ? found.path : '', program, out, '--whisper', parameters, ...options);
  rmSync(parameters);
  return result;
};
