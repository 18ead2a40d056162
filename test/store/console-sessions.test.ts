/** Tests sessions at the console and the links that open them: limits, ends, and removal of ended ones. */
import t from 'tap';
import { signInLimits } from '../../src/config/limits/sign-in-limits.js';
import {
  beginConsoleSession,
  createConsoleLink,
  enterConsole,
  findConsoleSession,
  readConsoleLink,
} from '../../src/identity/console-sessions.js';
import { createUser } from '../../src/identity/users.js';
import { sweepConsoleSessions } from '../../src/store/accounts/console-sessions.js';
import { endEverything, signOutEverywhere } from '../../src/store/accounts/grants.js';
import type { Sql } from '../../src/store/client/database.js';
import { testDatabase } from '../support/database/database.js';

const opened = async (sql: Sql, uid: string): Promise<string> =>
  (await enterConsole(sql, (await createConsoleLink(sql, uid)).secret)).cookie;

const works = async (sql: Sql, cookie: string): Promise<boolean> =>
  (await findConsoleSession(sql, cookie)) !== null;

t.test('sessions at the console', async (t) => {
  const { sql } = await testDatabase(t);
  const userOf = async (): Promise<string> => (await createUser(sql)).uid;

  await t.test('the database has no secret of a link or a session', async (t) => {
    const uid = await userOf();
    const { secret } = await createConsoleLink(sql, uid);
    const cookie = await opened(sql, uid);
    const rows = JSON.stringify([
      ...(await sql`select * from console_links`),
      ...(await sql`select * from console_sessions`),
    ]);
    t.notOk(rows.includes(secret) || rows.includes(cookie));
  });

  await t.test('a link opens one session, also if two requests use it at once', async (t) => {
    const { secret } = await createConsoleLink(sql, await userOf());
    t.equal((await readConsoleLink(sql, secret)).seconds, 600);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => enterConsole(sql, secret)));
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    await t.rejects(readConsoleLink(sql, secret), { code: 'console_link_ended' });
    await t.rejects(enterConsole(sql, secret), { code: 'console_link_ended' });
  });

  await t.test('a link ends after ten minutes', async (t) => {
    const uid = await userOf();
    const { secret } = await createConsoleLink(sql, uid);
    await sql`update console_links set created_at = created_at - interval '10 minutes' where uid = ${uid}`;
    await t.rejects(enterConsole(sql, secret), { code: 'console_link_ended' });
  });

  await t.test('a further link replaces the oldest, a further session the least used', async (t) => {
    const uid = await userOf();
    const links: string[] = [];
    for (let made = 0; made <= signInLimits.consoleLinksPerUser.value; made++) {
      links.push((await createConsoleLink(sql, uid)).secret);
    }
    await t.rejects(readConsoleLink(sql, links[0]!), { code: 'console_link_ended' });
    await t.resolves(readConsoleLink(sql, links[1]!));

    const [first, second] = [await opened(sql, uid), await opened(sql, uid)];
    await sql`update console_sessions set used_at = now() - interval '1 hour' where uid = ${uid}`;
    t.ok(await works(sql, first), 'a use is recorded');
    for (let made = 2; made <= signInLimits.consoleSessionsPerUser.value; made++) await opened(sql, uid);
    t.ok(await works(sql, first));
    t.notOk(await works(sql, second));
  });

  await t.test('a session ends without use, and after 14 days with use', async (t) => {
    const uid = await userOf();
    const cookie = await opened(sql, uid);
    await sql`update console_sessions set used_at = now() - interval '11 hours 59 minutes' where uid = ${uid}`;
    t.ok(await works(sql, cookie));
    t.ok(await works(sql, cookie), 'the use counts');
    await sql`update console_sessions set created_at = now() - interval '14 days' where uid = ${uid}`;
    t.notOk(await works(sql, cookie));
    const other = await opened(sql, uid);
    await sql`update console_sessions set used_at = now() - interval '12 hours' where uid = ${uid}`;
    t.notOk(await works(sql, other));
  });

  for (const [what, end] of [
    ['signing out everywhere', (uid: string) => signOutEverywhere(sql, uid, [])],
    ['a new password', (uid: string) => endEverything(sql, uid)],
    ['deletion of the user', (uid: string) => sql`delete from users where uid = ${uid}`],
  ] as const) {
    await t.test(`${what} ends sessions and links`, async (t) => {
      const uid = await userOf();
      const cookie = await opened(sql, uid);
      const { secret } = await createConsoleLink(sql, uid);
      const confirmedAt = Date.now();
      await end(uid);
      t.notOk(await works(sql, cookie));
      await t.rejects(enterConsole(sql, secret), { code: 'console_link_ended' });
      await t.rejects(beginConsoleSession(sql, uid, confirmedAt - 1), { code: 'sign_in_ended' });
    });
  }

  await t.test(
    'a link that is used while its user signs out everywhere opens no lasting session',
    async (t) => {
      for (let round = 0; round < 20; round++) {
        const uid = await userOf();
        const { secret } = await createConsoleLink(sql, uid);
        await Promise.all([
          enterConsole(sql, secret).catch(() => undefined),
          signOutEverywhere(sql, uid, []),
        ]);
        const left = await sql`select 1 as found from console_sessions where uid = ${uid}`;
        t.equal(left.length, 0);
      }
    },
  );

  await t.test('ended sessions and links are removed', async (t) => {
    const [kept, unused, old] = [await userOf(), await userOf(), await userOf()];
    for (const uid of [kept, unused, old]) {
      await opened(sql, uid);
      await createConsoleLink(sql, uid);
    }
    await sql`update console_sessions set used_at = now() - interval '13 hours' where uid = ${unused}`;
    await sql`update console_sessions set created_at = now() - interval '15 days' where uid = ${old}`;
    await sql`update console_links set created_at = now() - interval '11 minutes' where uid = ${old}`;
    await sweepConsoleSessions(sql);
    const uids = (rows: readonly { uid: string }[]): string[] => rows.map(({ uid }) => uid);
    const sessions = uids(await sql<{ uid: string }[]>`select uid from console_sessions`);
    const links = uids(await sql<{ uid: string }[]>`select uid from console_links`);
    t.match(
      [sessions.includes(kept), sessions.includes(unused), sessions.includes(old)],
      [true, false, false],
    );
    t.match([links.includes(unused), links.includes(old)], [true, false]);
  });
});
