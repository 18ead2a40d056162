import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkout } from '../checkout.js';

/** A Python virtual environment. It is stored under `build/bench` and reused. */
export interface VirtualEnvironment {
  /** Name of the environment's folder in `build/bench`. */
  readonly name: string;
  /** Path of the file that lists the packages and their versions, relative to the checkout. */
  readonly requirements: string;
}

/** Path of the environment's Python, or the reason why the environment was skipped. */
export type PreparedPython = { readonly python: string } | { readonly skipped: string };

const run = promisify(execFile);
const pathOf = (path: string): string => fileURLToPath(new URL(path, checkout));
const folderOf = ({ name }: VirtualEnvironment): string => pathOf(`build/bench/${name}`);

const say = (line: string): void => void process.stderr.write(`python peer: ${line}\n`);

/**
 * Returns a hash of the package list and the Python version. If the hash changes, the environment must be created
 * again.
 */
const stampOf = ({ requirements }: VirtualEnvironment, version: string): string =>
  createHash('sha256')
    .update(version)
    .update(readFileSync(pathOf(requirements)))
    .digest('hex');

const keptStamp = (environment: VirtualEnvironment): string => {
  const file = `${folderOf(environment)}/made-from`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

const install = (python: string, requirements: string): Promise<void> =>
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

/**
 * Builds the environment in a temporary folder. When the environment is complete, moves it to its final path. So an
 * interrupted build is never used.
 */
const make = async (environment: VirtualEnvironment, stamp: string): Promise<void> => {
  const folder = folderOf(environment);
  const draft = `${folder}-${process.pid}`;
  say('making a virtual environment, once; about a minute');
  try {
    await mkdir(pathOf('build/bench'), { recursive: true });
    await run('python3', ['-m', 'venv', draft]);
    await install(`${draft}/bin/python`, pathOf(environment.requirements));
    await writeFile(`${draft}/made-from`, stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

/** Returns the reason why a program failed: its last line on stderr. If there is none, returns the error's message. */
export const reasonOf = (error: unknown): string =>
  ((error as { stderr?: string }).stderr?.trim().split('\n').at(-1) || (error as Error).message).slice(
    0,
    300,
  );

/** Returns whether an environment can be used without an installation. */
export const isPrepared = async (environment: VirtualEnvironment): Promise<boolean> => {
  try {
    const { stdout } = await run('python3', ['--version']);
    return keptStamp(environment) === stampOf(environment, stdout);
  } catch {
    return false;
  }
};

/** Creates an environment on first use, and again when its packages or Python change. Progress is printed on stderr. */
export const prepareEnvironment = async (environment: VirtualEnvironment): Promise<PreparedPython> => {
  let version: string;
  try {
    version = (await run('python3', ['--version'])).stdout;
  } catch {
    return { skipped: 'python3 is missing' };
  }
  try {
    const stamp = stampOf(environment, version);
    if (keptStamp(environment) !== stamp) await make(environment, stamp);
  } catch (error) {
    return { skipped: `its virtual environment cannot be made: ${reasonOf(error)}` };
  }
  return { python: `${folderOf(environment)}/bin/python` };
};
