/**
 * Kills a sidecar during each sign-in step, before or after the commit. The client gets no answer. No incomplete
 * account remains, and incomplete grants give no access.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createUser } from '../../../src/identity/users.js';
import { hashPassword } from '../../../src/issuer/passwords.js';
import type { Sql } from '../../../src/store/client/database.js';
import { testDatabase } from '../../support/database/database.js';
import { testSecret } from '../../support/issuer-secret.js';
import { until } from '../../support/until.js';
import { assistants, Browser, type Page, password } from './sign-in-support.js';
import { atUpstream, startUpstream, upstreamSecret } from './upstream-support.js';

const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));
const redirect = assistants[0].redirect_uris[0];
const gate = 4712;

/** The insertion at which a step is blocked: a row of the table that meets the SQL condition. */
interface Gate {
  readonly table: 'accounts' | 'issuer_records' | 'upstream_identities';
  readonly condition: string;
}

/**
 * Removes all gates and adds new ones. At a gate, the insertion of a row waits while a different transaction holds the
 * advisory lock.
 */
const addGates = async (sql: Sql, gates: readonly Gate[]): Promise<void> => {
  await sql.unsafe(`
    create or replace function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$`);
  for (const table of ['accounts', 'issuer_records', 'upstream_identities'] as const) {
    const conditions = gates.filter((one) => one.table === table).map(({ condition }) => `(${condition})`);
    await sql.unsafe(`drop trigger if exists wait_at_gate on ${table}`);
    if (conditions.length > 0)
      await sql.unsafe(`
        create trigger wait_at_gate before insert on ${table} for each row when (${conditions.join(' or ')})
          execute function wait_at_gate()`);
  }
};

const waiting = `select pid from pg_stat_activity where datname = current_database()
  and application_name = 'cochlea sidecar' and wait_event_type = 'Lock' and state = 'active'`;

t.test('sign-in steps after the sidecar is killed', { timeout: 400_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const upstream = await startUpstream(t, [`${base}/v1/auth/callback/other`]);
  const env = {
    ...process.env,
    DATABASE_URL: url,
    SIDECAR_PORT: port,
    PUBLIC_URL: base,
    COCHLEA_DATA_DIR: t.testdir(),
    ISSUER_SECRET: testSecret,
    OAUTH_CLIENTS: JSON.stringify(assistants),
    RATE_LIMIT_BOOST: '1000',
    // The timeout is long, because every step waits until the slowest step reaches its gate.
    REQUEST_TIMEOUT: '300000',
    UPSTREAM_PROVIDERS: JSON.stringify([
      {
        name: 'other',
        label: 'Other',
        issuer: upstream.issuer,
        client_id: 'cochlea',
        client_secret: upstreamSecret,
      },
    ]),
  };
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [command, 'sidecar'], { env, stdio: 'ignore' });
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the sidecar ended with ${child.exitCode}`);
      return (await fetch(`${base}/health/ready`).catch(() => null))?.ok;
    }, 'the sidecar is ready');
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  };
  let sidecar = await start();
  t.teardown(() => kill(sidecar));

  await createUser(sql, { uid: 'ann', email: 'ann@example.org' });
  await sql`insert into accounts (uid, email, password_hash) values ('ann', 'ann@example.org', ${await hashPassword(password)})`;
  const begin = () => {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: 'helper',
      response_type: 'code',
      redirect_uri: redirect,
      scope: 'memories.read',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return { verifier, address: `/authorize?${query}` };
  };
  const allow = (browser: Browser, at: Page): Promise<Page> =>
    browser.post(`${new URL(at.url).pathname}/consent`, { scope: 'memories.read' });
  const token = (fields: Record<string, string>) =>
    fetch(`${base}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'helper', redirect_uri: redirect, ...fields }),
    });
  const tokens = async (fields: Record<string, string>) => {
    const answer = await token(fields);
    const { access_token, refresh_token, error } = (await answer.json()) as Record<string, string>;
    return { status: answer.status, access_token, refresh_token, error };
  };
  /** Signs in with a new browser and consents. Returns the fields for the exchange of the code. */
  const code = async (): Promise<Record<string, string>> => {
    const { verifier, address } = begin();
    const browser = new Browser(base);
    const at = await browser.signIn(await browser.get(address), 'ann@example.org');
    const { url: to } = at.url.startsWith(redirect) ? at : await allow(browser, at);
    return {
      grant_type: 'authorization_code',
      code: new URL(to).searchParams.get('code')!,
      code_verifier: verifier,
    };
  };
  const count = async (kind: string): Promise<number> =>
    (await sql`select 1 from issuer_records where kind = ${kind} and client_id = 'helper'`).length;

  /**
   * Runs the steps, kills the sidecar when all wait at their gates, and restarts it. Without `committed`, their
   * transactions are rolled back.
   */
  const killAt = async (
    committed: boolean,
    steps: readonly (Gate & { readonly step: () => Promise<unknown> })[],
  ): Promise<void> => {
    await addGates(sql, steps);
    await sql.begin(async (transaction) => {
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction.unsafe(`select pg_advisory_xact_lock(${gate})`);
      const ended: string[] = [];
      const outcomes = steps.map(({ step, table, condition }) =>
        step().then(
          () => {
            ended.push(`answered: ${table}, ${condition}`);
            return 'answered';
          },
          (error: unknown) => {
            ended.push(`broken off: ${table}, ${condition}: ${error}`);
            return 'broken off';
          },
        ),
      );
      await until(async () => {
        // A step that misses its gate would never wait, so the test fails at once.
        if (ended.length > 0) throw new Error(`a step ended before it was held up: ${ended.join('; ')}`);
        return (await sql.unsafe(waiting)).length >= steps.length;
      }, 'all steps wait');
      await kill(sidecar);
      if (!committed) await sql.unsafe(`select pg_terminate_backend(pid) from (${waiting}) as w`);
      for (const outcome of outcomes) t.equal(await outcome, 'broken off');
    });
    await until(async () => (await sql.unsafe(waiting)).length === 0, 'no statement waits');
    sidecar = await start();
  };

  for (const committed of [false, true]) {
    const how = committed ? 'the transaction is committed' : 'the transaction is lost';

    // One kill interrupts several steps, because a restart takes longer than all of them.
    const link = randomBytes(32).toString('base64url');
    const email = `new-${committed}@example.org`;
    const hash = createHash('sha256').update(link).digest('hex');
    await sql`insert into account_links (hash, email, expires_at) values (${hash}, ${email}, now() + interval '1 hour')`;
    const set = () => new Browser(base).post('/account/password', { link, password });

    const signingIn = new Browser(base);
    const page = await signingIn.get('/account');

    const subject = `zoe-${committed}`;
    const known = () => sql`select uid from upstream_identities where subject = ${subject}`;
    const withOther = async (browser: Browser): Promise<Page> => {
      const { url: page } = await browser.get('/account');
      const away = await browser.get(`${new URL(page).pathname}/with/other`);
      return browser.get(await atUpstream(upstream, away.url, subject));
    };
    const users = async (): Promise<number> => (await sql`select 1 from users`).length;
    const before = await users();

    await sql`delete from issuer_records where client_id = 'helper'`;
    const consenting = new Browser(base);
    const asked = await consenting.signIn(await consenting.get(begin().address), 'ann@example.org');

    await killAt(committed, [
      { table: 'accounts', condition: 'true', step: set },
      {
        table: 'issuer_records',
        condition: `new.kind = 'Session' and new.uid = 'ann'`,
        step: () => signingIn.signIn(page, 'ann@example.org'),
      },
      {
        // In the uncommitted round, the kill interrupts the creation of the user. In the committed round, it comes
        // after the user is created and before the session exists.
        ...(committed
          ? { table: 'issuer_records', condition: `new.kind = 'Session' and new.uid <> 'ann'` }
          : { table: 'upstream_identities', condition: 'true' }),
        step: () => withOther(new Browser(base)),
      },
      {
        table: 'issuer_records',
        condition: `new.kind = 'Grant' and new.client_id = 'helper'`,
        step: () => allow(consenting, asked),
      },
    ]);

    await t.test(`signing in with another service; ${how}`, async (t) => {
      const made = [...(await known())];
      t.equal(made.length, committed ? 1 : 0);
      t.equal(await users(), before + made.length, 'no incomplete user');
      t.equal((await withOther(new Browser(base))).url, `${base}/account`, 'a new sign-in succeeds');
      if (committed) t.same([...(await known())], made, 'with the same user');
      t.equal(await users(), before + 1);
    });

    await t.test(`setting the first password; ${how}`, async (t) => {
      t.same(await sql`select uid from users where email = ${email}`, [], 'no incomplete account');
      t.same(await sql`select uid from accounts where email = ${email}`, []);
      t.equal((await set()).status, 200, 'the link still works');
    });

    await t.test(`signing in; ${how}`, async (t) => {
      t.match((await signingIn.get('/account')).text, 'Sign in', 'the browser has no session');
      const again = new Browser(base);
      t.equal((await again.signIn(await again.get('/account'), 'ann@example.org')).url, `${base}/account`);
    });

    await t.test(`consenting to an assistant; ${how}`, async (t) => {
      t.same([await count('AuthorizationCode'), await count('AccessToken')], [0, 0], 'no code and no token');
      t.equal((await tokens(await code())).status, 200, 'a new grant succeeds');
    });

    await t.test(`exchanging a code for tokens; ${how}`, async (t) => {
      const asked = await code();
      await sql`delete from issuer_records where kind in ('AccessToken', 'RefreshToken')`;
      await killAt(committed, [
        { table: 'issuer_records', condition: `new.kind = 'RefreshToken'`, step: () => token(asked) },
      ]);
      t.match(await tokens(asked), { status: 400, error: 'invalid_grant' }, 'the code is used');
      t.same([await count('AccessToken'), await count('RefreshToken')], [0, 0]);
      t.equal((await tokens(await code())).status, 200);
    });

    await t.test(`renewing tokens; ${how}`, async (t) => {
      const first = await tokens(await code());
      const renew = { grant_type: 'refresh_token', refresh_token: first.refresh_token! };
      await killAt(committed, [
        { table: 'issuer_records', condition: `new.kind = 'RefreshToken'`, step: () => token(renew) },
      ]);
      t.match(await tokens(renew), { status: 400, error: 'invalid_grant' });
      const opened = await fetch(`${base}/v1/mcp/profile`, {
        headers: { authorization: `Bearer ${first.access_token}` },
      });
      t.equal(opened.status, 401, 'the whole grant has ended');
      t.equal((await tokens(await code())).status, 200, 'a new grant succeeds');
    });
  }
});
