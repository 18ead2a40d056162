import t from 'tap';
import { rowSchema } from '../../../bench/report/envelope.js';
import { runMcp } from '../../../bench/suites/rest/mcp.js';
import { failedRows } from '../../../bench/suites/rest/requests.js';

t.test('both tool servers give the same answers, and are measured on one database', async (t) => {
  const told: string[] = [];
  const { results, bounds, versions } = await runMcp({
    users: 3,
    memories: 5,
    rate: 50,
    milliseconds: 200,
    warmUp: 50,
    rounds: 1,
    durable: false,
    tell: (line) => void told.push(line),
  });
  t.same(
    results.map(({ contender }) => contender),
    ['cochlea', 'mcp-sdk'],
  );
  for (const row of results) {
    t.doesNotThrow(() => rowSchema.parse(row));
    t.ok(row.cpu_ms_per_request! > 0 && row.p99_ms! > 0);
  }
  t.same(failedRows(results), []);
  t.equal(told[0], '20 calls are answered alike');
  t.same(
    bounds.map(({ most }) => most),
    [1, 1],
    'CPU and p99 are held to those of the peer',
  );
  t.match(versions, { 'mcp-sdk': /^\d/, postgresql: /^\d/ });
});
