import { fileURLToPath } from 'node:url';
import { findNats } from '../../../bench/laptop/programs.js';

export { findNats };

const found = findNats();

/** Reason why tests with nats-server are skipped, or false if they run. */
export const withoutNats: string | false = 'missing' in found ? found.missing : false;

// As a program, it fails if the tests are skipped. `.ci/run` runs it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${withoutNats || 'nats-server is there'}\n`);
  if (withoutNats) process.exitCode = 1;
}
