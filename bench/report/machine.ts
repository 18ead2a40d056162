import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { checkout } from '../checkout.js';
import type { Machine } from './envelope.js';

const telling = ['sse4_2', 'avx', 'avx2', 'fma', 'avx512f', 'avx512bw', 'avx512_vnni', 'asimd', 'sve'];

const cpuFlags = (): string[] => {
  try {
    const line = /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'));
    const found = new Set(line?.[1]?.split(' '));
    return telling.filter((flag) => found.has(flag));
  } catch {
    return [];
  }
};

/** Returns the properties of the machine that affect timings. */
export const describeMachine = (versions: Readonly<Record<string, string>> = {}): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: Math.max(1, cpus().length),
  flags: cpuFlags(),
  system: `${type()} ${release()} ${process.arch}`,
  node: process.version,
  load: loadavg()[0]!,
  versions: { ...versions },
});

/** Returns the commit of this checkout; empty outside a checkout. A `+` is appended if files differ from the commit. */
export const measuredCommit = (): string => {
  const git = (...words: string[]): string =>
    execFileSync('git', words, {
      cwd: fileURLToPath(checkout),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return git('rev-parse', 'HEAD') + (changed ? '+' : '');
  } catch {
    return '';
  }
};
