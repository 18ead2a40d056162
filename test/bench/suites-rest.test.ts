import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { rowSchema } from '../../bench/report/envelope.js';
import { boundOfPages, boundsBeside, isKept, shownBounds } from '../../bench/rest/bounds.js';
import { peerIsPrepared } from '../../bench/rest/servers.js';
import { failedRows } from '../../bench/suites/requests.js';
import { runRest } from '../../bench/suites/rest.js';

const list = 'GET /v1/dev/user/conversations';
const read = `${list}/{id}`;
const create = 'POST /v1/dev/user/memories';

t.test('both servers answer alike, are measured on one database, and the database is kept', async (t) => {
  const peer = await peerIsPrepared();
  if (!peer)
    t.pass('without the peer', { skip: 'its environment is not made: npm run bench -- rest makes it' });
  const folder = t.testdir();
  const filling = { users: 5, conversations: 300, largest: 100 };
  const options = {
    folder,
    filling,
    rate: 50,
    milliseconds: 200,
    warmUp: 50,
    rounds: 1,
    rateLimitBoost: 1000,
  };
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  const first = await runRest({ ...options, pages: 2, peer, floor: true, tell });
  const names = peer ? ['cochlea', 'fastapi'] : ['cochlea'];
  const loads = first.results.filter(({ mode }) => mode === '50 a second');
  t.same(
    loads.map(({ route, contender }) => [route, contender]),
    [...[list, read, create].flatMap((route) => names.map((name) => [route, name])), [create, 'floor']],
  );
  for (const row of first.results) t.doesNotThrow(() => rowSchema.parse(row));
  for (const { cpu_ms_per_request: cpu, p99_ms: p99, requests_per_s: rate } of loads)
    t.ok(cpu! > 0 && p99! > 0 && rate! > 0);
  t.same(failedRows(first.results), []);
  const modes = first.results.map(({ mode }) => mode);
  for (const mode of ['cursor, first tenth', 'cursor, last tenth', 'offset up to 0'])
    t.ok(modes.includes(mode), mode);
  t.equal(first.bounds.length, peer ? 7 : 1);
  t.equal(
    told.some((line) => line.endsWith('are answered alike')),
    peer,
  );
  t.ok(told.some((line) => line.startsWith('filling')));

  const stamp = readFileSync(`${folder}/filled-with`, 'utf8');
  told.length = 0;
  const second = await runRest({ ...options, pages: 0, peer: false, tell });
  t.notOk(
    told.some((line) => line.startsWith('filling')),
    'it is filled once',
  );
  t.equal(second.bounds.length, 0);
  t.same(second.skipped, [{ suite: 'rest', what: 'fastapi', why: 'not asked for' }]);
  t.equal(readFileSync(`${folder}/filled-with`, 'utf8'), stamp);
  t.ok(existsSync(`${folder}/postgres`));
});

t.test('bounds', async (t) => {
  const row = (contender: string, route: string, cpu: number, p99: number) => ({
    suite: 'rest',
    contender,
    route,
    cpu_ms_per_request: cpu,
    p99_ms: p99,
  });
  const rows = [
    row('cochlea', list, 1, 9),
    row('fastapi', list, 2, 10),
    row('cochlea', create, 3, 99),
    row('fastapi', create, 4, 10),
  ];
  const bounds = boundsBeside(rows, 'cochlea', 'fastapi');
  t.same(
    bounds.map(({ value, most }) => [value, most]),
    [
      [4 / 6, 0.5],
      [0.5, 0.5],
      [0.75, 0.5],
      [0.9, 1],
    ],
    'CPU of both routes, of each, and p99, which has no bound for a creation',
  );
  t.same(bounds.map(isKept), [false, true, true, true], 'one route alone fails no run');
  t.match(shownBounds(bounds), [/^MISSED +0\.667/, /^kept/, /^above +0\.750/, /^kept/]);
  const cheaper = [...rows.slice(0, 2), row('cochlea', create, 1, 9), ...rows.slice(3)];
  t.same(
    boundsBeside(cheaper, 'cochlea', 'fastapi').map(({ value }) => value),
    [2 / 6, 0.5, 0.25, 0.9],
  );
  t.same(boundsBeside(rows, 'cochlea', 'fastapi', { cpu: 0.6, holdsLate: () => true }).map(isKept), [
    false,
    true,
    true,
    true,
    false,
  ]);
  const one = boundsBeside(rows.slice(2), 'cochlea', 'fastapi');
  t.same(
    one.map(({ what, value }) => [what, value]),
    [[`${create}: CPU a request, part of fastapi's`, 0.75]],
    'of one route once, and binding',
  );
  t.same(one.map(isKept), [false]);
  t.same(boundsBeside(rows.slice(0, 1), 'cochlea', 'fastapi'), [], 'without the peer');
  const slower = [1, 1.5, 1.2];
  t.equal(boundOfPages(slower).value, 1.5);
  t.notOk(isKept(boundOfPages(slower)));
  t.ok(isKept(boundOfPages([...slower].map((ms) => 10 + ms / 10))));
});
