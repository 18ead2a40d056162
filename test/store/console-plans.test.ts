/** The statements that remove and find sessions and links of the console use indexes when there are many rows. */
import t from 'tap';
import {
  consoleBrowsersOf,
  endConsoleBefore,
  endConsoleBrowser,
  endConsoleBrowsers,
  endIssuerSession,
  findConsoleLink,
  sweepConsoleSessions,
  useConsoleSession,
} from '../../src/store/accounts/console-sessions.js';
import { testDatabase } from '../support/database/database.js';
import { plansOf } from '../support/database/plan.js';

t.test('plans with many sessions and links', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`insert into users (uid) select 'user-' || n from generate_series(1, 1000) n`;
  // Most sessions are in use. Some sessions and some links have ended.
  await sql`
    insert into console_sessions (hash, uid, created_at, used_at, issuer_session)
    select encode(sha256(('s' || n)::bytea), 'hex'), 'user-' || (1 + n % 1000),
      now() - make_interval(secs => n * 60.5), now() - make_interval(secs => n * 2.2),
      case when n % 4 = 0 then encode(sha256(('i' || n)::bytea), 'hex') end
    from generate_series(1, 20000) n`;
  await sql`
    insert into console_links (hash, uid, created_at)
    select encode(sha256(('l' || n)::bytea), 'hex'), 'user-' || (1 + n % 1000), now() - make_interval(secs => n * 0.031)
    from generate_series(1, 20000) n`;
  await sql.unsafe('analyze users, console_sessions, console_links');
  const hash = 'a'.repeat(64);

  const swept = await plansOf(sql, 'delete from console_', (watched) => sweepConsoleSessions(watched, 10));
  t.equal(swept.length, 3);
  for (const [at, index] of [
    'console_sessions_by_use',
    'console_sessions_by_time',
    'console_links_by_time',
  ].entries()) {
    t.match(swept[at], index);
    t.notMatch(swept[at], 'Seq Scan', index);
  }

  for (const [name, work] of Object.entries({
    useConsoleSession: (s: typeof sql) => useConsoleSession(s, hash),
    findConsoleLink: (s: typeof sql) => findConsoleLink(s, hash),
    consoleBrowsersOf: (s: typeof sql) => consoleBrowsersOf(s, 'user-1'),
    endConsoleBrowser: (s: typeof sql) => endConsoleBrowser(s, 'user-1', 'a'.repeat(32)),
    endConsoleBrowsers: (s: typeof sql) => endConsoleBrowsers(s, 'user-2', hash),
    endConsoleBefore: (s: typeof sql) => endConsoleBefore(s, 'user-3', Date.now()),
    endIssuerSession: (s: typeof sql) => endIssuerSession(s, hash, null),
  })) {
    const plans = await plansOf(sql, 'console_', work);
    t.ok(plans.length > 0, name);
    for (const plan of plans) t.notMatch(plan, 'Seq Scan', name);
  }
});
