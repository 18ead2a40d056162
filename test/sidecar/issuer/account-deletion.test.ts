/**
 * Tests the deletion of an account by the API and on the account page, the answers during the deletion, and signing
 * out everywhere.
 */
import * as client from 'openid-client';
import t from 'tap';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { beginDeletion, isDeletionFinished } from '../../../src/store/accounts/account-deletions.js';
import { until } from '../../support/until.js';
import { conversations } from '../support.js';
import { Browser, password, startIssuer } from './sign-in-support.js';

const deletion = '/v1/users/deletion';
const confirm = 'delete my account';
const inProgress = {
  status: 403,
  body: { detail: { code: 'account_deletion_in_progress', status: 'deleting', retryable: false } },
};

t.test('deletion of an account', async (t) => {
  const api = await startIssuer(t);
  const { sql, settings } = api;
  const finished = (uid: string) =>
    until(() => isDeletionFinished(sql, uid), `every row of ${uid} is deleted`);

  /** Runs `work` while a table lock blocks the deletion of rows. */
  const whileRemoving = (work: () => Promise<void>): Promise<void> =>
    sql.begin(async (transaction) => {
      await transaction`lock table screen_activity in share mode`;
      await work();
    }) as Promise<void>;

  const own = await client.discovery(new URL(api.base), 'cochlea', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  /** Signs in through the application `cochlea`, which belongs to the service. Returns its tokens and the user's id. */
  const tokensOf = async (email: string, browser = new Browser(api.base)) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const address = client.buildAuthorizationUrl(own, {
      redirect_uri: 'http://127.0.0.1:45678/callback',
      scope: 'openid offline_access',
      prompt: 'consent',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const at = await browser.signIn(await browser.get(address.href), email);
    const code = await browser.post(`${new URL(at.url).pathname}/consent`, {});
    const tokens = await client.authorizationCodeGrant(own, new URL(code.url), { pkceCodeVerifier });
    return { id: tokens.id_token!, refresh: tokens.refresh_token!, uid: tokens.claims()!.sub };
  };
  const accountPage = async (browser: Browser, email: string): Promise<void> => {
    await browser.signIn(await browser.get('/account'), email);
  };

  t.test('needs an ID token and the exact words of the confirmation', async (t) => {
    const { token, uid, key } = await api.person();
    const ask = (body: unknown, credential = token) => api.call(deletion, { credential, body });
    for (const body of [{}, { confirm: true }, { confirm: 'Delete my account' }])
      t.equal((await ask(body)).status, 422, JSON.stringify(body));
    t.equal((await ask({ confirm }, key)).status, 401, 'a developer key cannot delete an account');
    t.notOk((await sql`select 1 from account_deletions`).length);
    t.match(await ask({ confirm }), { status: 200, body: { status: 'deleting' } });
    await finished(uid);
    t.equal((await ask({ confirm })).status, 401);
  });

  t.test(
    'every credential is answered account_deletion_in_progress until the account is deleted',
    async (t) => {
      await api.account('ann@example.org');
      const browser = new Browser(api.base);
      await accountPage(browser, 'ann@example.org');
      const { id, refresh, uid } = await tokensOf('ann@example.org');
      const dev = (await createApiKey(sql, settings, { uid, name: 'd' })).key;
      const mcp = (await createApiKey(sql, settings, { uid, name: 'm', family: 'mcp' })).key;
      const everywhere: [path: string, credential: string][] = [
        [conversations, dev],
        ['/v1/dev/key', dev],
        ['/v1/mcp/profile', mcp],
        ['/v1/users/settings', id],
        ['/v1/dev/keys', id],
      ];
      const renew = () =>
        fetch(`${api.base}/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: refresh,
            client_id: 'cochlea',
          }),
        });
      const waiting = new Browser(api.base);
      const signIn = await waiting.get('/account');
      for (const [path, credential] of everywhere)
        t.equal((await api.call(path, { credential })).status, 200, path);

      await whileRemoving(async () => {
        t.equal((await api.call(deletion, { credential: id, body: { confirm } })).status, 200);
        for (const [path, credential] of everywhere)
          t.match(await api.call(path, { credential }), inProgress, path);
        t.match(
          await api.call(deletion, { credential: id, body: { confirm } }),
          inProgress,
          'a repeated request',
        );
        const renewed = await renew();
        t.equal(renewed.status, 403);
        t.match(await renewed.json(), { error_description: 'account_deletion_in_progress' });
        for (const page of [await browser.get('/account'), await waiting.signIn(signIn, 'ann@example.org')])
          t.match(page, { status: 403, text: /This account is being deleted/ });
        t.match(
          await waiting.signIn(await new Browser(api.base).get('/account'), 'ann@example.org', 'wrong'),
          {
            text: /^(?!.*being deleted)/s,
          },
        );
      });

      await finished(uid);
      for (const [path, credential] of everywhere)
        t.equal((await api.call(path, { credential })).status, 401, path);
      t.match(await (await renew()).json(), { error: 'invalid_grant' });
      t.match((await browser.get('/account')).text, 'Sign in');
      await api.account('ann@example.org');
      const again = await tokensOf('ann@example.org');
      t.not(again.uid, uid, 'the address can get a new account, with another uid');
      t.same((await api.call('/v1/dev/keys', { credential: again.id })).body, []);
    },
  );

  t.test('the account page deletes the account after a recent sign-in', async (t) => {
    await api.account('ben@example.org');
    const { uid } = await tokensOf('ben@example.org');
    const browser = new Browser(api.base);
    await accountPage(browser, 'ben@example.org');
    t.match((await browser.get('/account')).text, 'href="/account/delete"');
    const page = await browser.get('/account/delete');
    t.match(page.text, /cannot be undone/);
    const fields = () => ({ token: /name="token" value="([^"]+)"/.exec(page.text)![1]!, confirm: 'yes' });
    t.equal((await browser.post('/account/delete', { ...fields(), token: 'x' })).status, 403);
    t.match(await browser.post('/account/delete', { ...fields(), confirm: '' }), {
      url: /\/account\/delete$/,
    });

    await sql`
      update issuer_records set payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::integer - 601))
      where kind = 'Session' and uid = ${uid}`;
    for (const old of [await browser.get('/account/delete'), await browser.post('/account/delete', fields())])
      t.match(old.text, 'type="password"', 'an old sign-in must be repeated');
    t.same([...(await sql`select 1 from account_deletions where uid = ${uid}`)], []);
    const fresh = await browser.signIn(await browser.get('/account/delete'), 'ben@example.org', password);
    t.equal(fresh.url, `${api.base}/account/delete`, 'the sign-in leads back to the page');
    const token = /name="token" value="([^"]+)"/.exec(fresh.text)![1]!;
    t.match(await browser.post('/account/delete', { token, confirm: 'yes' }), { text: /is being deleted/ });
    await finished(uid);
    t.match((await browser.get('/account')).text, 'Sign in');
  });

  t.test('a request that started before the deletion stores nothing', async (t) => {
    const { uid, token } = await api.person();
    let posted: Promise<unknown> | undefined;
    await whileRemoving(async () => {
      await sql.begin(async (transaction) => {
        await transaction`lock table memories in exclusive mode`;
        posted = api.call('/v1/dev/user/memories', {
          credential: (await createApiKey(sql, settings, { uid, name: 'w', scopes: ['memories:write'] })).key,
          body: { content: 'Late.' },
        });
        await until(
          async () =>
            (
              await sql`select 1 from pg_stat_activity where application_name = 'cochlea sidecar' and wait_event_type = 'Lock'
              and datname = current_database()`
            ).length > 0,
          'the request waits',
        );
        t.equal((await api.call(deletion, { credential: token, body: { confirm } })).status, 200);
      });
      await posted;
    });
    await finished(uid);
    t.same([...(await sql`select 1 from memories where uid = ${uid}`)], []);
  });

  t.test('signing out everywhere invalidates earlier ID tokens, but not later ones', async (t) => {
    await api.account('cid@example.org');
    const { id, uid } = await tokensOf('cid@example.org');
    const [old, stale] = [id, (await api.person()).token];
    const settingsOf = async (credential: string) =>
      (await api.call('/v1/users/settings', { credential })).status;
    // A token stores its time in whole seconds. A token of the same second as the sign-out would remain valid.
    await sql`update users set tokens_not_before = null where uid = ${uid}`;
    t.equal(await settingsOf(old), 200);
    await until(
      () => Date.now() / 1000 > JSON.parse(Buffer.from(old.split('.')[1]!, 'base64url').toString()).iat + 1,
      'a second has passed',
    );
    t.equal((await api.call('/v1/users/sessions', { method: 'DELETE', credential: old })).status, 204);
    t.equal(await settingsOf(old), 401);
    t.equal(await settingsOf(stale), 200, 'the token of another user');
    t.equal(await settingsOf((await tokensOf('cid@example.org')).id), 200);
  });

  t.test('beginDeletion returns false for an unknown user', async (t) => {
    t.equal(await beginDeletion(sql, 'unknown'), false);
  });
});
