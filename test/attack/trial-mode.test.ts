/** With `AUTH_MODE=uid` the listener admits only programs on this machine. It refuses web pages and proxies. */
import { request } from 'node:http';
import t from 'tap';
import { WebSocket } from 'ws';
import { Client } from '../front/support.js';
import { serviceOnTestDatabase } from '../support/service.js';

t.test('an engine in trial mode admits only programs on this machine', { timeout: 120_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, { AUTH_MODE: 'uid', COCHLEA_STT: 'discard' });
  const engines = service.processes(' engine');
  const port = Number(new URL(service.base).port);

  const open = (headers: Record<string, string>, route: string): Client =>
    new Client(new WebSocket(`ws://127.0.0.1:${port}${route}?uid=ada&codec=pcm8`, { headers }));
  const get = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/health/live', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  const strangers: Record<string, string>[] = [
    { Forwarded: 'for=203.0.113.1' },
    { Via: '1.1 proxy' },
    { 'X-Forwarded-For': '203.0.113.1' },
    { 'x-forwarded-proto': 'https' },
    { 'X-Forwarded-Host': 'cochlea.example' },
    { 'X-Real-IP': '203.0.113.1' },
    { 'CF-Connecting-IP': '203.0.113.1' },
    { Host: 'evil.example' },
    { Host: `127.0.0.1.evil.example:${port}` },
    { Host: `cochlea.example:${port}` },
  ];
  for (const headers of strangers) {
    const said = JSON.stringify(headers);
    t.match(await open(headers, '/v4/listen').outcome, { status: 403 }, `upgrade with ${said}`);
    t.match(await open(headers, '/v4/web/listen').outcome, { status: 403 }, `web upgrade with ${said}`);
    t.equal(await get(headers), 403, `request with ${said}`);
  }
  for (const Origin of ['https://evil.example', 'null', 'file://', `http://evil.example:${port}`]) {
    t.match(await open({ Origin }, '/v4/listen').outcome, { status: 403 }, `page from ${Origin}`);
    t.match(await open({ Origin }, '/v4/web/listen').outcome, { status: 403 });
  }
  const honest = [{}, { Origin: `http://127.0.0.1:${port}` }, { Host: `localhost:${port}` }].map((headers) =>
    open(headers as Record<string, string>, '/v4/listen'),
  );
  for (const client of honest) {
    await client.open();
    client.socket.close();
    await client.outcome;
  }
  t.equal(await get({}), 200);
  t.same(service.processes(' engine'), engines);
});
