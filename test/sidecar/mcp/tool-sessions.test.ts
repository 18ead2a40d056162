/** Sessions are signed. They survive a restart of the sidecar, belong to one user, and expire. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { createUser } from '../../../src/identity/users.js';
import { ToolSessions } from '../../../src/sidecar/mcp/sessions.js';
import { testDatabase } from '../../support/database/database.js';
import { testSettings } from '../support.js';

t.test('sessions of assistants', async (t) => {
  const { sql } = await testDatabase(t);
  await createUser(sql, { uid: 'ann' });
  const settings = testSettings();
  let now = Date.now();
  const sessions = () => new ToolSessions(settings, sql, () => now);

  t.test('only processes with the same secret accept a session', async (t) => {
    const id = await sessions().open('ann', '2025-06-18');
    t.equal(await sessions().find('ann', id), '2025-06-18');
    t.equal(await sessions().find('ben', id), null);
    const other = new ToolSessions({ ...settings, issuerSecret: 'x'.repeat(40) }, sql, () => now);
    t.equal(await other.find('ann', id), null);
  });

  t.test('a session expires', async (t) => {
    const id = await sessions().open('ann', '2025-03-26');
    now += fixedLimits.toolSessionAge.value - 2000;
    t.equal(await sessions().find('ann', id), '2025-03-26');
    now += 4000;
    t.equal(await sessions().find('ann', id), null);
  });

  t.test('a process learns within a second that another process has ended a session', async (t) => {
    const [here, there] = [sessions(), sessions()];
    const id = await here.open('ann', '2025-03-26');
    t.equal(await there.find('ann', id), '2025-03-26');
    t.equal(await here.end('ann', id), true);
    t.equal(await here.find('ann', id), null, 'at once in the process that ended it');
    t.equal(await here.end('ann', id), false);
    now += 1000;
    t.equal(await there.find('ann', id), null);
  });

  t.test('keeps at most 1,000 ended sessions of a user, and removes old ones', async (t) => {
    await sql`delete from ended_tool_sessions`;
    await sql`insert into ended_tool_sessions (id, uid, ended_at)
      select 'old' || n, 'ann', now() - interval '2 days' from generate_series(1, 10) as n
      union all select 'new' || n, 'ann', now() - n * interval '1 second' from generate_series(1, 1005) as n`;
    const own = sessions();
    await own.end('ann', await own.open('ann', '2025-03-26'));
    const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from ended_tool_sessions`;
    t.equal(row!.count, 1000);
  });

  t.test('rejects changed and random session ids', async (t) => {
    const own = sessions();
    const id = await own.open('ann', '2025-03-26');
    const bytes = Buffer.from(id.slice(4), 'base64url');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        return (await own.find('ann', `mcp-${changed.toString('base64url')}`)) === null;
      }),
      { numRuns: 300 },
    );
    for (let count = 0; count < 100; count++) {
      t.equal(await own.find('ann', `mcp-${randomBytes(33).toString('base64url')}`), null);
    }
  });
});
