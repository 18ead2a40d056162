/**
 * Tests that a statement's input and output do not reach V8's old generation, which is expensive to collect. See
 * `watchStatement` and `directSender`.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { testDatabase } from '../../support/database/database.js';

const program = fileURLToPath(new URL('../../support/database/lasting-statements.js', import.meta.url));
/** Maximum bytes that may remain per statement. A retained value of 4,000 bytes exceeds it. */
const most = 2000;

t.test('statements leave almost no bytes in the old generation', async (t) => {
  const { url } = await testDatabase(t);
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url },
  });
  const found = Object.entries(JSON.parse(stdout) as Record<string, number>);
  t.equal(found.length, 4);
  for (const [name, bytes] of found) t.ok(bytes < most, `${name}: ${bytes} bytes (at most ${most})`);
});
