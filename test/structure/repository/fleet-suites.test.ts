/** Tests the list of the suites that do not run on several machines. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { suitesOfOneMachine } from '../../fleet-suites.js';

const checkout = packageDirectory();

t.test('every suite that is left out exists, and has a reason', async (t) => {
  for (const [name, reason] of Object.entries(suitesOfOneMachine)) {
    t.ok(existsSync(join(checkout, 'test', 'e2e', `${name}.test.ts`)), name);
    t.match(reason, /^[A-Z].{15,}\.$/, reason);
  }
});

t.test('CI runs the other suites on two machines, without and with a bus', async (t) => {
  const stages = readFileSync(join(checkout, '.ci', 'run'), 'utf8');
  t.match(stages, /^stage .+ node dist\/test\/run-fleet\.js$/m);
  t.match(stages, /^stage .+ node dist\/test\/run-fleet\.js --bus$/m);
});
