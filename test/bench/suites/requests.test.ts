import t from 'tap';
import { rowSchema } from '../../../bench/report/envelope.js';
import { failedRows, runRequests } from '../../../bench/suites/rest/requests.js';

const tiny = {
  conversations: 3,
  segments: 4,
  connections: [2],
  milliseconds: 1000,
  rounds: 1,
  durable: false,
} as const;

t.test('requests are answered and counted, and their CPU time is measured', async (t) => {
  const { results, versions } = await runRequests({ ...tiny, rateLimitBoost: 1_000_000 });
  const collection = '/v1/dev/user/conversations';
  t.same(
    results.map(({ route, mode, connections }) => [route, mode, connections]),
    [
      [`GET ${collection}`, 'sidecar', 2],
      [`GET ${collection}/{id}`, 'sidecar', 2],
      [`POST ${collection}/from-segments`, 'sidecar', 2],
      [`GET ${collection}/{id}`, 'front', 10],
    ],
  );
  for (const row of results) {
    t.doesNotThrow(() => rowSchema.parse(row));
    const { requests_per_s: rate, p50_ms: p50, p99_ms: p99, cpu_ms_per_request: cpu } = row;
    t.ok(rate! > 0 && p99! >= p50! && cpu! > 0, `${row.route} ${row.mode}: ${rate} a second`);
    t.equal(row.rate_limit_boost, 1_000_000, 'every result says what it was measured with');
  }
  t.same(failedRows(results), []);
  t.equal(versions.fsync, 'off');
});

t.test('rows with failures are found', async (t) => {
  const row = { suite: 'requests', contender: 'cochlea', errors: 0, non_2xx: 0 };
  const refused = { ...row, non_2xx: 3 };
  const failed = { ...row, errors: 1 };
  t.same(failedRows([row, refused, failed]), [refused, failed]);
});
