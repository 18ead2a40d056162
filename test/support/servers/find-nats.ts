import { fileURLToPath } from 'node:url';
import { findNats } from '../../../bench/laptop/programs.js';

export { findNats };

const found = findNats();

/** Reason why tests with nats-server are skipped, or false if they run. */
export const withoutNats: string | false = 'missing' in found ? found.missing : false;

// `.ci/run` runs this file as a program. It then fails if the tests with nats-server would be skipped.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${withoutNats || 'nats-server is there'}\n`);
  if (withoutNats) process.exitCode = 1;
}
