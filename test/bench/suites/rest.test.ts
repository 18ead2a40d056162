import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { rowSchema } from '../../../bench/report/envelope.js';
import { boundOfPages, cpuBounds, isKept, lateBounds, shownBounds } from '../../../bench/rest/bounds.js';
import { peerIsPrepared } from '../../../bench/rest/servers.js';
import { failedRows } from '../../../bench/suites/rest/requests.js';
import { runRest } from '../../../bench/suites/rest/rest.js';

const list = 'GET /v1/dev/user/conversations';
const read = `${list}/{id}`;
const create = 'POST /v1/dev/user/memories';

t.test(
  'both servers give the same answers, are measured on one database, and the database is kept',
  async (t) => {
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
      busy: 60,
      warmUp: 50,
      rounds: 1,
      rateLimitBoost: 1000,
    };
    const told: string[] = [];
    const tell = (line: string): void => void told.push(line);
    const first = await runRest({ ...options, pages: 2, peer, floor: true, tell });
    const names = peer ? ['cochlea', 'fastapi'] : ['cochlea'];
    const [paced, busy] = ['50 a second', '6 at once'].map((load) =>
      first.results.filter(({ mode }) => mode === load),
    );
    for (const rows of [paced!, busy!]) {
      t.same(
        rows.map(({ route, contender }) => [route, contender]),
        [...[list, read, create].flatMap((route) => names.map((name) => [route, name])), [create, 'floor']],
      );
      for (const { cpu_ms_per_request: cpu, requests_per_s: rate, ratio, contender } of rows) {
        t.ok(cpu! > 0 && rate! > 0);
        if (contender === 'cochlea' && peer) t.ok(ratio! > 0 && ratio! < 10, 'compared within its load');
      }
    }
    for (const row of first.results) t.doesNotThrow(() => rowSchema.parse(row));
    for (const { p99_ms: p99 } of paced!) t.ok(p99! > 0);
    t.same(failedRows(first.results), []);
    const modes = first.results.map(({ mode }) => mode);
    for (const mode of ['cursor, first tenth', 'cursor, last tenth', 'offset up to 0'])
      t.ok(modes.includes(mode), mode);
    t.equal(first.bounds.length, peer ? 11 : 1);
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
  },
);

t.test('a result is judged by its bounds', async (t) => {
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
  const names = ['cochlea', 'fastapi'] as const;
  const load = '6 at once';
  const bounds = cpuBounds(rows, names, { most: 0.5, load });
  t.same(
    bounds.map(({ what, value, most }) => [what.replace(/,.*/, ''), value, most]),
    [
      ['2 routes', 4 / 6, 0.5],
      [list, 0.5, 0.5],
      [create, 0.75, 0.5],
    ],
    'of both routes, and of each',
  );
  t.same(bounds.map(isKept), [false, true, true], 'one route alone fails no run');
  t.match(shownBounds(bounds), [/^MISSED +0\.667.*6 at once/, /^kept/, /^above +0\.750/]);
  const shown = cpuBounds(rows, names, { most: 0.5, load: '200 a second', binding: false });
  t.same(
    shown.map(({ value }) => value),
    bounds.map(({ value }) => value),
  );
  t.same(shown.map(isKept), [true, true, true], 'what is only shown fails no run');
  t.match(shownBounds(shown), [/^above +0\.667.*200 a second/, /^kept/, /^above/]);
  const one = cpuBounds(rows.slice(2), names, { most: 0.5, load });
  t.same(
    one.map(({ what, value }) => [what, value]),
    [[`${create}, 6 at once: CPU a request, part of fastapi's`, 0.75]],
    'of one route once, and binding',
  );
  t.same(one.map(isKept), [false]);
  t.same(
    lateBounds(rows, names).map(({ value, most }) => [value, most]),
    [
      [0.9, 1],
      [9.9, 1],
    ],
  );
  t.same(
    lateBounds(rows, names, (route) => route === list).map(({ value }) => value),
    [0.9],
    'only of routes that are named',
  );
  const alone = rows.slice(0, 1);
  t.same(
    [...cpuBounds(alone, names, { most: 1, load }), ...lateBounds(alone, names)],
    [],
    'without the peer',
  );
  const slower = [1, 1.5, 1.2];
  t.equal(boundOfPages(slower).value, 1.5);
  t.notOk(isKept(boundOfPages(slower)));
  t.ok(isKept(boundOfPages([...slower].map((ms) => 10 + ms / 10))));
});
