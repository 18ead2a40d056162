/**
 * Runs the quick part of the suite on every accepted line of Node, and ends with one counted line:
 *
 *   node dist/test/runtimes/run.js [20] [22] [24]
 *
 * The releases are npm packages, pinned by version and content in the lock file beside this source. They are
 * installed into a temporary folder without running any script, and removed at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageDirectory } from '../../src/config/process/data-dir.js';

const checkout = packageDirectory();
const pinned = join(checkout, 'test', 'runtimes');
const pinnedSystem = 'linux-x64';

let interrupted = false;
let running: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    running?.kill(signal);
  });
}

/** Runs a program, shows its output and returns the output with the exit code. */
const run = (
  command: string,
  words: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<{ code: number; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    running = child;
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });

/** Installs the pinned releases below a folder. @returns the folder of each release's program, by line. */
const install = async (folder: string): Promise<Map<string, string>> => {
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(pinned, name), join(folder, name));
  const { code } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  if (code !== 0) throw new Error(`npm ci ended with ${code}`);
  const { devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  return new Map(
    Object.keys(devDependencies).map((name) => [
      name.replace('node-', ''),
      join(folder, 'node_modules', name, 'bin'),
    ]),
  );
};

const main = async (): Promise<number> => {
  const system = `${process.platform}-${process.arch}`;
  if (system !== pinnedSystem) {
    process.stdout.write(`skipped: releases of Node are pinned for ${pinnedSystem}, this is ${system}\n`);
    return 0;
  }
  let passed = 0;
  let failed = 0;
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-node-'));
  try {
    const programs = await install(folder);
    const asked = process.argv.slice(2);
    for (const line of asked.length > 0 ? asked : programs.keys()) {
      if (interrupted) break;
      const bin = programs.get(line);
      if (bin === undefined) throw new Error(`no release of Node ${line} is pinned`);
      const env = {
        ...process.env,
        // Tests that find programs by name must find the same release of Node.
        PATH: [bin, process.env.PATH].join(delimiter),
        // With this variable, each file runs only once, with one listener.
        COCHLEA_LISTENER: process.env.COCHLEA_LISTENER ?? 'auto',
      };
      const node = join(bin, 'node');
      const version = (await run(node, ['--version'], { cwd: checkout, env })).output.trim();
      const since = performance.now();
      const { code, output } = await run(node, [join('dist', 'test', 'run.js'), '--quick'], {
        cwd: checkout,
        env,
      });
      const counted = /^(\d+) passed, (\d+) failed/m.exec(output);
      const failures = Number(counted?.[2] ?? 0);
      passed += Number(counted?.[1] ?? 0);
      // A run that crashed or was ended without a failed test is also a failure.
      failed += failures > 0 || code === 0 ? failures : 1;
      const seconds = ((performance.now() - since) / 1000).toFixed(0);
      process.stdout.write(`Node ${version}: ${code === 0 ? 'ok' : 'NOT OK'} in ${seconds} s\n`);
    }
  } catch (error) {
    failed++;
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed > 0 || passed === 0 || interrupted ? 1 : 0;
};

process.exitCode = await main();
