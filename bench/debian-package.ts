import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.js';

/** Folder with the packages of the benchmarks. */
export const packageCache = fileURLToPath(new URL('build/bench/debian', checkout));

const failure = (name: string, args: string[], cwd: string): string | undefined => {
  const { error, status, stderr } = spawnSync(name, args, { cwd, encoding: 'utf8', timeout: 120_000 });
  if (error) return `${name}: ${error.message}`;
  return status === 0 ? undefined : `${name} ${args[0]}: ${stderr.trim().split('\n').at(-1)}`;
};

/**
 * Downloads a Debian package with apt-get unless it is cached, and unpacks it without installing it.
 * @param cache folder with the unpacked files, one subfolder per package.
 * @returns the folder of its files, or the reason why the package is missing.
 */
export const unpackedPackage = (
  name: string,
  cache: string,
): { readonly folder: string } | { readonly missing: string } => {
  const folder = join(cache, name);
  if (existsSync(folder)) return { folder };
  // The files are unpacked in a temporary folder, which is then renamed. So an interrupted run leaves no incomplete
  // package in the cache.
  const part = join(cache, `${name}.${process.pid}`);
  mkdirSync(part, { recursive: true });
  try {
    const missing = failure('apt-get', ['download', name], part);
    if (missing) return { missing };
    const archive = readdirSync(part).find((file) => file.endsWith('.deb'));
    if (!archive) return { missing: `apt-get download ${name} left no package` };
    const broken = failure('dpkg-deb', ['-x', archive, 'files'], part);
    if (broken) return { missing: broken };
    if (!existsSync(folder)) renameSync(join(part, 'files'), folder);
    return { folder };
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};
