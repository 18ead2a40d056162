import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { modelPath } from './model.js';

/** What runs the server in Python, or why nothing does. */
export type PreparedPython =
  | { readonly python: string; readonly words: readonly string[] }
  | { readonly skipped: string };

const run = promisify(execFile);
// Seen from the compiled file, whose sources lie beside the folder of compiled ones.
const checkout = new URL('../../../', import.meta.url);
const pathOf = (path: string): string => fileURLToPath(new URL(path, checkout));
const requirements = pathOf('bench/peers/python/requirements.txt');
const server = pathOf('bench/peers/python/server.py');
const folder = pathOf('build/bench/python');

const say = (line: string): void => void process.stderr.write(`python peer: ${line}\n`);

/** Identifies what an environment was made from. */
const stampOf = (version: string): string =>
  createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex');

const keptStamp = (): string => {
  const file = `${folder}/made-from`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

const install = (python: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const words = ['-m', 'pip', 'install', '--disable-pip-version-check', '--requirement', requirements];
    const child = spawn(python, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const listen = (text: Buffer): void => {
      output = (output + text).slice(-4000);
      for (const [, step] of String(text).matchAll(/^((?:Collecting|Installing) \S+)/gm)) say(step!);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    child.once('exit', (code) => {
      const last =
        output.split('\n').findLast((line) => line.startsWith('ERROR')) ?? `pip ended with ${code}`;
      if (code === 0) resolve();
      else reject(new Error(last));
    });
  });

/** Makes the environment beside its place and moves it there whole, so that an interrupted one is never used. */
const make = async (stamp: string): Promise<void> => {
  const draft = `${folder}-${process.pid}`;
  say('making a virtual environment, once; about a minute');
  try {
    await mkdir(pathOf('build/bench'), { recursive: true });
    await run('python3', ['-m', 'venv', draft]);
    await install(`${draft}/bin/python`);
    await writeFile(`${draft}/made-from`, stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const reason = (error: unknown): string =>
  ((error as { stderr?: string }).stderr?.trim().split('\n').at(-1) || (error as Error).message).slice(
    0,
    300,
  );

/** Whether the environment can be used without installing anything. */
export const pythonIsReady = async (): Promise<boolean> => {
  try {
    const { stdout } = await run('python3', ['--version']);
    return keptStamp() === stampOf(stdout);
  } catch {
    return false;
  }
};

/**
 * The virtual environment of the server in Python, made on first use under `build/bench/python`; what happens is told
 * on stderr.
 */
export const preparePython = async (): Promise<PreparedPython> => {
  let version: string;
  try {
    version = (await run('python3', ['--version'])).stdout;
  } catch {
    return { skipped: 'python3 is missing' };
  }
  const python = `${folder}/bin/python`;
  try {
    const stamp = stampOf(version);
    if (keptStamp() !== stamp) await make(stamp);
  } catch (error) {
    return { skipped: `its virtual environment cannot be made: ${reason(error)}` };
  }
  try {
    await run(python, ['-c', 'import opuslib']);
  } catch {
    return { skipped: 'libopus is missing (Debian: libopus0)' };
  }
  return { python, words: [server, modelPath()] };
};
