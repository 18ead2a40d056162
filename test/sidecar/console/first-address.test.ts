/** The service redirects a browser at `/` to the console. Other clients get the answer for an unknown address there. */
import t from 'tap';
import { startApi } from '../support.js';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

t.test('the first address', async (t) => {
  const api = await startApi(t);
  const ask = async (path: string, accept: string | undefined, method = 'GET') => {
    const answer = await fetch(api.base + path, {
      method,
      redirect: 'manual',
      // An empty header also expresses no preference. Without this entry, fetch would send "*/*".
      headers: { accept: accept ?? '' },
    });
    const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(answer.headers);
    return { status: answer.status, headers, text: await answer.text() };
  };

  for (const accept of [
    browser,
    'text/html',
    'TEXT/HTML',
    'application/xhtml+xml',
    'application/json;q=0.5, text/html',
    'text/html;q=0.9, */*;q=0.1',
  ])
    for (const path of ['/', '/?from=mail'])
      t.match(
        await ask(path, accept),
        { status: 303, headers: { location: '/console', vary: 'Accept' } },
        accept,
      );

  const unknown = await ask('/unknown', undefined);
  t.match(unknown, { status: 404, text: '{"detail":"Not Found"}' });
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/json, text/html',
    'application/json, text/html;q=0.9',
    'text/html;q=0',
    'text/html;q=x',
    'text/*',
    ',;q=,',
    `${'x'.repeat(2000)},text/html`,
  ])
    t.same(await ask('/', accept), unknown, `${accept}`.slice(0, 50));
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
    t.same(await ask('/', browser, method), await ask('/unknown', browser, method), method);
  for (const path of ['//', '/index.html', '/%2f', '/v1'])
    t.equal((await ask(path, browser)).status, 404, path);
});
