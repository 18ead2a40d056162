import { fileURLToPath } from 'node:url';
import { findHaproxy } from '../../../bench/laptop/programs.js';

export { findHaproxy };

const found = findHaproxy();

/** Reason why tests with HAProxy are skipped, or false if they run. */
export const withoutHaproxy: string | false = 'missing' in found ? found.missing : false;

// `.ci/run` runs this file as a program. It then fails if the tests with HAProxy would be skipped.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${withoutHaproxy || 'HAProxy is there'}\n`);
  if (withoutHaproxy) process.exitCode = 1;
}
