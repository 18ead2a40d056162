import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Debian's place, which is not in the search path of users without privileges. */
const installed = '/usr/sbin/haproxy';
const how = 'apt-get install haproxy, or set HAPROXY_BIN';

/** Finds HAProxy 2.6 or newer: `HAPROXY_BIN`, or else the installed one. @returns its path, or the reason why there is none. */
export const findHaproxy = (
  program = process.env.HAPROXY_BIN || (existsSync(installed) ? installed : 'haproxy'),
): { readonly program: string } | { readonly missing: string } => {
  try {
    const printed = execFileSync(program, ['-v'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, major, minor] = /version (\d+)\.(\d+)/.exec(printed)!;
    if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 6)) return { program };
    return { missing: `${program} is ${major}.${minor}, and the tests need 2.6 or newer: ${how}` };
  } catch {
    return { missing: `${program} cannot be run: ${how}` };
  }
};

const found = findHaproxy();

/** Reason why tests with HAProxy are skipped, or false if they run. */
export const withoutHaproxy: string | false = 'missing' in found ? found.missing : false;

// As a program, it fails if the tests are skipped. `.ci/run` runs it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${withoutHaproxy || 'HAProxy is there'}\n`);
  if (withoutHaproxy) process.exitCode = 1;
}
