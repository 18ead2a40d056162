/** Tests how the pages of the console are served: policy, caching, compression, and only their addresses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import t from 'tap';
import { request } from 'undici';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { startApi } from '../support.js';

const bundle = join(packageDirectory(), 'dist', 'console');

t.test('the pages of the console', async (t) => {
  const api = await startApi(t, { PUBLIC_URL: 'https://cochlea.example' });

  await t.test('every address answers the same page, with its policy', async (t) => {
    const bundled = readFileSync(join(bundle, 'index.html'), 'utf8');
    const text = bundled.replace('<div id="app">', '<div id="app" data-sign-in>');
    for (const path of [
      '',
      '/live',
      '/conversations',
      '/conversations/8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55?x=1',
    ]) {
      const answer = await fetch(`${api.base}/console${path}`);
      t.equal(answer.status, 200, path);
      t.equal(await answer.text(), text);
      const policy = answer.headers.get('content-security-policy')!;
      t.match(
        policy,
        /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' wss:\/\/cochlea\.example; /,
      );
      t.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/);
      t.notMatch(policy, /unsafe/);
      t.match(answer.headers.get('permissions-policy'), /^microphone=\(self\), .*camera=\(\)/);
      // Chromium does not know this name, and would warn on every page.
      t.notMatch(answer.headers.get('permissions-policy'), 'bluetooth');
      t.equal(answer.headers.get('cache-control'), 'no-cache');
      t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    }
  });

  await t.test(
    'unknown addresses answer the page with 404; the interface and the files answer JSON',
    async (t) => {
      for (const path of [
        'none',
        'conversations/a/b',
        'apis',
        'filesystem',
        '%3Cscript%3E',
        '..%2f',
        '%ff',
        'live/',
      ]) {
        const answer = await fetch(`${api.base}/console/${path}`);
        t.equal(answer.status, 404, path);
        if (path === '%ff') continue;
        t.match(answer.headers.get('content-type'), 'text/html', path);
        t.match(answer.headers.get('content-security-policy'), "trusted-types 'none'");
        t.equal(answer.headers.get('etag'), null);
        t.match(await answer.text(), '<div id="app"');
      }
      t.equal((await fetch(`${api.base}/console/`)).status, 200);
      const unknown = await (await fetch(`${api.base}/unknown`)).json();
      for (const path of ['api', 'api/', 'api/none', 'api/conversations/a/b', 'files', 'files/none.js'])
        for (const method of ['GET', 'POST', 'HEAD']) {
          const answer = await fetch(`${api.base}/console/${path}`, { method });
          t.equal(answer.status, 404, `${method} ${path}`);
          t.match(answer.headers.get('content-type'), 'application/json');
          if (method !== 'HEAD') t.same(await answer.json(), unknown);
        }
      for (const method of ['POST', 'PUT', 'DELETE'])
        t.equal(
          (await fetch(`${api.base}/console/none`, { method })).status,
          404,
          `${method} is not refused as 405`,
        );
    },
  );

  await t.test('HEAD has the headers of GET, and no body', async (t) => {
    for (const path of ['', '/live', '/conversations/x', '/none', '/enter', '/enter.js', '/style.css']) {
      const [head, get] = await Promise.all(
        (['HEAD', 'GET'] as const).map((method) => request(`${api.base}/console${path}`, { method })),
      );
      t.equal(head!.statusCode, get!.statusCode, path);
      for (const name of [
        'content-type',
        'content-length',
        'content-security-policy',
        'cache-control',
        'etag',
      ])
        t.equal(head!.headers[name], get!.headers[name], `${name} of ${path}`);
      t.equal(await head!.body.text(), '');
      t.not(await get!.body.text(), '');
    }
  });

  await t.test('a page that has not changed is not sent again', async (t) => {
    const tag = (await fetch(`${api.base}/console`)).headers.get('etag')!;
    const again = await request(`${api.base}/console/live`, { headers: { 'if-none-match': tag } });
    t.equal(again.statusCode, 304);
    t.equal(await again.body.text(), '');
    t.equal((await fetch(`${api.base}/console`, { headers: { 'if-none-match': '"other"' } })).status, 200);
  });

  await t.test('files never change, and are sent compressed', async (t) => {
    const names = readdirSync(join(bundle, 'files')).filter((name) => /\.(js|css)$/.test(name));
    t.ok(names.length >= 4);
    for (const name of names) {
      const { statusCode, headers, body } = await request(`${api.base}/console/files/${name}`, {
        headers: { 'accept-encoding': 'br' },
      });
      t.equal(statusCode, 200, name);
      t.match(headers['content-type'], name.endsWith('.js') ? /javascript/ : /text\/css/);
      t.match(headers['cache-control'], /max-age=31536000, immutable/);
      t.equal(headers['content-encoding'], 'br');
      const sent = brotliDecompressSync(Buffer.from(await body.arrayBuffer()));
      t.ok(sent.equals(readFileSync(join(bundle, 'files', name))));
    }
    for (const path of ['', '/', '/none.js', '/../index.html', '/%2e%2e/index.html', '/..%2findex.html'])
      t.equal((await fetch(`${api.base}/console/files${path}`)).status, 404, path);
  });
});

t.test(
  'without a public address, the policy names the host of the request only if it is a plain host',
  async (t) => {
    const api = await startApi(t, {});
    const policyFor = async (host: string): Promise<string> =>
      String(
        (await request(`${api.base}/console`, { headers: { host } })).headers['content-security-policy'],
      );
    t.match(await policyFor('127.0.0.1:8787'), "connect-src 'self' ws://127.0.0.1:8787;");
    t.match(await policyFor('[::1]:8787'), "connect-src 'self' ws://[::1]:8787;");
    t.notMatch(await policyFor("evil;script-src'*'"), 'evil');
  },
);
