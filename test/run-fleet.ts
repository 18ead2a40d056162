/**
 * Runs suites of `test/e2e` on two machines with one database: two engines and two sidecars. Suites that make no sense
 * on several machines are left out (`fleet-suites.ts`). Without arguments, each request and each stream goes to the
 * next engine, and there is no bus. With `--bus`, the machines have a bus, and HAProxy with `deploy/haproxy.cfg` is in
 * front of them. Prints the counted line of `run.ts` at the end.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suitesOfOneMachine } from './fleet-suites.js';
import { withoutHaproxy } from './support/servers/find-haproxy.js';
import { withoutNats } from './support/servers/find-nats.js';

const compiled = dirname(fileURLToPath(import.meta.url));
const source = join(compiled, '..', '..', 'test', 'e2e');
const withBus = process.argv.includes('--bus');
const missing = withBus && (withoutHaproxy || withoutNats);

const parts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.replace(/\.test\.ts$/, ''))
  .filter((file) => suitesOfOneMachine[file] === undefined)
  .map((file) => `test/e2e/${file}.test.js`);

const env: NodeJS.ProcessEnv = {
  ...process.env,
  E2E_MACHINES: '2',
  ...(withBus && { E2E_BUS: '1', E2E_BALANCER: 'haproxy' }),
};
if (missing) {
  process.stderr.write(`${missing}\n`);
  process.exitCode = 1;
} else {
  const { status } = spawnSync(process.execPath, [join(compiled, 'run.js'), ...parts], {
    env,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
