/**
 * Input and output of a statement are freed with it and are not promoted to the old generation, see `watchStatement`
 * and `directSender`.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { testDatabase } from '../../support/database/database.js';

const program = fileURLToPath(new URL('../../support/database/lasting-statements.js', import.meta.url));
/** Maximum bytes per call. A retained value of 4,000 bytes would exceed it. */
const most = 2000;

t.test('bytes of a statement among old objects', async (t) => {
  const { url } = await testDatabase(t);
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url },
  });
  const found = Object.entries(JSON.parse(stdout) as Record<string, number>);
  t.equal(found.length, 4);
  for (const [name, bytes] of found) t.ok(bytes < most, `${name}: ${bytes} bytes (at most ${most})`);
});
