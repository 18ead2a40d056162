import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkout } from './checkout.js';

const run = promisify(execFile);

const remedy = 'it needs cmake and a C++ compiler (Debian: apt-get install cmake g++ pkg-config libopus-dev)';

/** Returns the digest of the programs' sources and flags. A build is reused while the digest stays equal. */
const digestOf = (source: string, flags: readonly string[]): string => {
  const hash = createHash('sha256').update(flags.join(' '));
  for (const file of readdirSync(source).filter((name) => /\.(txt|c|cc|h)$/.test(name))) {
    hash.update(file).update(readFileSync(join(source, file)));
  }
  return hash.digest('hex').slice(0, 16);
};

const why = (error: unknown): string => {
  const { stdout = '', stderr = '', code, message } = error as Error & Record<string, string | undefined>;
  if (code === 'ENOENT') return remedy;
  const said = `${stderr}\n${stdout}`.split('\n');
  const line = said.find((text) => /error|required|not found/i.test(text)) ?? message ?? '';
  return /CMAKE_C(XX)?_COMPILER/.test(stderr ?? '') ? remedy : line.trim();
};

const build = async (source: string, kept: string, names: readonly string[], flags: readonly string[]) => {
  // Another process may build the same programs at the same time. So the build runs in a separate folder, which is
  // moved when it is complete.
  const work = `${kept}.${process.pid}`;
  try {
    await run('cmake', ['-S', source, '-B', work, ...flags]);
    await run('cmake', ['--build', work, '--parallel', '2', '--target', ...names]);
    await mkdir(join(work, 'programs'));
    for (const name of names) await copyFile(join(work, name), join(work, 'programs', name));
    await rename(join(work, 'programs'), kept).catch((error: unknown) => {
      if (!existsSync(kept)) throw error;
    });
  } catch (error) {
    throw new Error(`bench/${source.split('/bench/').at(-1)} does not build: ${why(error)}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

const builds = new Map<string, Promise<void>>();

/**
 * Builds the programs of a folder with a CMakeLists.txt. Does nothing if they are built already.
 * @param folder path within bench: `native` or `native/fleet`.
 * @param names names of the programs.
 * @param flags flags of cmake.
 * @returns the programs' paths, sorted by name.
 * @throws Error that names the missing tool and the remedy.
 */
export const buildPrograms = async (
  folder: string,
  names: readonly string[],
  flags: readonly string[] = [],
): Promise<string[]> => {
  const source = fileURLToPath(new URL(`bench/${folder}`, checkout));
  const digest = digestOf(source, [...names, ...flags]);
  const kept = fileURLToPath(new URL(`build/bench/${basename(folder)}-${digest}`, checkout));
  if (!existsSync(kept)) {
    const running = builds.get(kept) ?? build(source, kept, names, flags);
    builds.set(kept, running);
    await running.finally(() => builds.delete(kept));
  }
  return names.map((name) => join(kept, name));
};
