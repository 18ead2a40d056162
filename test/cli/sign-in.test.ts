/** Tests signing in with a browser, and the credentials from then until sign-out. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { chromium } from 'playwright-core';
import { parse } from 'smol-toml';
import t, { type Test } from 'tap';
import { type Config, type Profile, profileOf } from '../../src/cli/config/config.js';
import { changeConfig } from '../../src/cli/config/config-file.js';
import { issueIdToken } from '../../src/identity/token-issuer.js';
import { password, startIssuer } from '../sidecar/issuer/sign-in-support.js';
import { browserProgram, browserMissing as skip } from '../support/browser.js';
import { until } from '../support/until.js';
import { command, folder, program } from './support.js';

/** Starts a proxy in front of a service. The proxy can delay requests. */
const startProxy = async (t: Test, target: string) => {
  const proxy = {
    base: '',
    /** The proxy calls this function for each request, and forwards the request when the returned promise resolves. */
    before: async (_path: string, _authorization: string): Promise<void> => undefined,
  };
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    void proxy.before(url, headers.authorization ?? '').then(() => {
      const passed = forward(`${target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  proxy.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
};

/** Starts a sign-in. @returns the printed address, and the end of the process. */
const begin = async (t: Test, args: readonly string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
  t.teardown(() => child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, out, err }));
  const address = await until(
    async () => /http:\/\/\S+\/v1\/auth\/authorize\S+?(?="|\s)/.exec(err)?.[0],
    'an address is printed',
  );
  return { address, ended };
};

t.test('sign-in and its credentials', { skip }, async (t) => {
  const api = await startIssuer(t);
  await api.account('ann@example.org');
  const proxy = await startProxy(t, api.base);
  const config = join(await folder(t), 'config.toml');
  const env = { COCHLEA_CONFIG: config, COCHLEA_API_BASE: proxy.base };
  const stored = async (): Promise<Profile> =>
    profileOf(parse(await readFile(config, 'utf8')) as Config, 'default');
  const change = (profile: Profile): Promise<void> =>
    changeConfig(config, ({ profiles }) => void Object.assign(profiles!.default!, profile));
  const statusOf = async (path: string, credential: string): Promise<number> =>
    (await api.call(path, { credential })).status;

  await t.test('signs in with a browser', async (t) => {
    const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
    t.teardown(() => browser.close());
    const page = await browser.newPage();
    const { address, ended } = await begin(t, ['auth', 'login', '--browser', '--no-open'], env);
    await page.goto(address);
    await page.fill('#email', 'ann@example.org');
    await page.fill('#password', password);
    await page.click('form[action$="sign-in"] button');
    await page.click('form[action$="/consent"] button:not([formaction])');
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
    t.equal(await page.title(), 'You are signed in');
    const { code, out, err } = await ended;
    t.equal(code, 0, err);
    t.match(out, `Signed in to ${proxy.base}`);
    const status = await command(['--json', 'auth', 'status'], { env });
    t.match(JSON.parse(status.out), { authenticated: true, auth_method: 'oauth', credential: /^.{6}….{4}$/ });
    const { id_token: token, refresh_token: refresh } = await stored();
    for (const text of [out, err, status.out]) t.notOk(text.includes(token!) || text.includes(refresh!));
  });

  await t.test('simultaneous commands create one key', async (t) => {
    await change({ id_token_expires_at: 0 });
    const ran = await Promise.all(
      Array.from({ length: 8 }, (_, number) => command(['memory', 'create', `Fact ${number}`], { env })),
    );
    t.same(
      ran.filter(({ code }) => code !== 0),
      [],
      'a refresh token that is used twice would end the sign-in',
    );
    const { id_token: token } = await stored();
    const keys = (await api.call('/v1/dev/keys', { credential: token! })).body as { name: string }[];
    t.equal(keys.length, 1);
    t.match(keys[0]!.name, /^cochlea-user \(.+\)$/);
    t.match((await command(['auth', 'whoami'], { env })).out, 'goals:write');
  });

  await t.test('renews a token shortly before its end, or on demand', async (t) => {
    const lasting = async (seconds: number, ...words: string[]): Promise<boolean> => {
      await change({ id_token_expires_at: Math.floor(Date.now() / 1000) + seconds });
      const { id_token: before } = await stored();
      const { code, err } = await command(words, { env });
      t.equal(code, 0, err);
      const { id_token: after } = await stored();
      return after !== before;
    };
    t.equal(await lasting(3600, 'daily-summary', 'list'), false, 'a valid token is used');
    t.equal(await lasting(30, 'daily-summary', 'list'), true, 'renewed near its end');
    t.equal(await lasting(3600, 'auth', 'refresh'), true, 'renewed on demand');
  });

  await t.test('a command replaces a revoked key', async (t) => {
    const { api_key_id: id } = await stored();
    const { id_token: token } = await stored();
    await api.call(`/v1/dev/keys/${id}`, { method: 'DELETE', credential: token! });
    const listed = await command(['--json', 'memory', 'list'], { env });
    t.equal(listed.code, 0, listed.err);
    t.equal((JSON.parse(listed.out) as unknown[]).length, 8);
    t.not((await stored()).api_key_id, id);
  });

  await t.test('renews a token that ends during a command', async (t) => {
    const summaries = Array.from({ length: 150 }, (_, day) => {
      const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
      return { date, headline: `Day ${day}`, overview: 'Nothing happened.' };
    });
    for (const part of [summaries.slice(0, 100), summaries.slice(100)]) {
      const written = await api.call('/v1/daily-summaries/batch', {
        credential: (await stored()).id_token!,
        body: { daily_summaries: part },
      });
      t.equal(written.status, 200);
    }
    const uid = String(decodeJwt((await stored()).id_token!).sub);
    // The service accepts this token for 4 s: its lifetime of -26 s plus 30 s of clock tolerance.
    const first = await issueIdToken(api.sql, { ...api.settings, idTokenLifetime: -26 }, uid);
    // The configuration states a later expiry, so that the command tries this token first.
    await change({ id_token: first, id_token_expires_at: Math.floor(Date.now() / 1000) + 3600 });
    const presented = new Set<string>();
    proxy.before = async (path, authorization) => {
      if (!path.startsWith('/v1/daily-summaries')) return;
      presented.add(authorization);
      const token = authorization.slice('Bearer '.length);
      if (!path.includes('cursor=') || token !== first) return;
      await until(async () => (await statusOf('/v1/daily-summaries', token)) === 401, 'the end of the token');
    };
    const { code, out, err } = await command(['daily-summary', 'list', '--all', '--jsonl'], { env });
    t.equal(code, 0, err);
    t.equal(out.trim().split('\n').length, 150);
    t.equal(presented.size, 2, 'two tokens were used');
    t.not((await stored()).id_token, first);
    const day = await command(['daily-summary', 'get', '2026-01-03'], { env });
    t.match(day.out, 'Day 2');
  });

  await t.test('sends tokens to no other service', async (t) => {
    const other = { ...env, COCHLEA_API_BASE: api.base };
    for (const words of [
      ['memory', 'list'],
      ['daily-summary', 'list'],
      ['auth', 'refresh'],
    ]) {
      const { code, err } = await command(words, { env: other });
      t.equal(code, 2);
      t.match(err, `signed in at ${proxy.base}`);
    }
  });

  await t.test('signing out ends the sign-in and its key', async (t) => {
    const { api_key: key, refresh_token: refresh } = await stored();
    const { code, err } = await command(['auth', 'logout'], { env });
    t.equal(code, 0);
    t.equal(err, '');
    t.equal(await statusOf('/v1/dev/key', key!), 401);
    const renewed = await fetch(`${api.base}/v1/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refresh! }),
    });
    t.equal(renewed.status, 400);
    t.same(await stored(), { api_base: proxy.base });
    t.equal((await command(['memory', 'list'], { env })).code, 2);
  });

  await t.test('ignores a callback with a wrong state, and reports a denied sign-in', async (t) => {
    const { address, ended } = await begin(
      t,
      ['--json', 'auth', 'login', '--provider', 'other', '--no-open'],
      env,
    );
    const { searchParams: asked } = new URL(address);
    t.equal(asked.get('provider'), 'other');
    const redirect = asked.get('redirect_uri')!;
    t.equal((await fetch(`${redirect}?code=stolen&state=guessed`)).status, 400);
    t.equal(
      (await fetch(`${redirect}?code=stolen&state=${asked.get('state')}`, { method: 'POST' })).status,
      404,
    );
    await fetch(`${redirect}?error=access_denied&state=${asked.get('state')}`);
    const { code, out, err } = await ended;
    t.equal(code, 2);
    t.equal(out, '');
    t.match(JSON.parse(err.trim().split('\n').at(-1)!), { error: /access_denied/ });
  });
});

t.test('a command that needs a sign-in names the command for it', async (t) => {
  const env = { COCHLEA_CONFIG: join(await folder(t), 'config.toml') };
  const { code, err } = await command(['daily-summary', 'list'], { env });
  t.equal(code, 2);
  t.match(err, 'auth login --browser');
});
