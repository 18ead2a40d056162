/** Reading one record from a compatible service that has no request for one: it is found in the list. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { command, folder } from './support.js';

const key = `svc_dev_${'0123456789abcdef'.repeat(2)}`;
const rows = Array.from({ length: 450 }, (_, number) => ({ id: `r${number}`, content: `Fact ${number}` }));

interface Lack {
  readonly status: number;
  readonly body: object;
}

/** A service that answers a request for one record with `lack`, and lists with `most` records at once. */
const start = async (t: Test, lack: Lack, most: number) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    seen.push(request.url!);
    const offset = Number(searchParams.get('offset') ?? 0);
    const limit = Math.min(most, Number(searchParams.get('limit')));
    const isList = /\/(?:memories|action-items)$/.test(pathname);
    response.writeHead(isList ? 200 : lack.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isList ? rows.slice(offset, offset + limit) : lack.body));
  }).listen(0);
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const config = join(await folder(t), 'config.toml');
  const env = { COCHLEA_CONFIG: config, COCHLEA_API_BASE: `http://127.0.0.1:${port}`, COCHLEA_API_KEY: key };
  return { seen, get: (group: string, id: string) => command(['--json', group, 'get', id], { env }) };
};

const lacks: readonly Lack[] = [
  { status: 405, body: { detail: 'Method Not Allowed' } },
  { status: 404, body: { detail: 'Not Found' } },
];

t.test('a record is looked for in the list where a service has no request for one', async (t) => {
  for (const lack of lacks) {
    for (const group of ['memory', 'action-item']) {
      for (const most of [1000, 100]) {
        const { get, seen } = await start(t, lack, most);
        const found = await get(group, 'r430');
        t.equal(found.code, 0, found.err);
        t.match(
          JSON.parse(found.out),
          { id: 'r430', content: 'Fact 430' },
          `${group}, ${lack.status}, ${most}`,
        );
        const absent = await get(group, 'r450');
        t.equal(absent.code, 5, 'not found');
        t.match(JSON.parse(absent.err), { error: /^Not found: \w+ r450\.$/ });
        t.ok(seen.length < 20, 'page by page');
      }
    }
  }
});

t.test('where it has one, its answer counts', async (t) => {
  const { get, seen } = await start(t, { status: 404, body: { detail: 'Memory not found' } }, 1000);
  const { code, err } = await get('memory', 'r1');
  t.equal(code, 5);
  t.match(JSON.parse(err), { detail: 'Memory not found' });
  t.equal(seen.length, 1, 'no list is read');
});

t.test('a list without an end is given up', async (t) => {
  const server = { status: 405, body: {} };
  const { get, seen } = await start(t, server, 1);
  t.equal((await get('memory', 'x')).code, 5);
  t.ok(seen.length <= 201, `${seen.length} requests`);
});
