import { createServer } from 'node:net';
import t from 'tap';
import { createLogger } from '../../src/log/logger.js';
import { isCounter, MetricsTable, metricCell } from '../../src/metrics/metrics.js';
import { metricOrder } from '../../src/metrics/names.js';
import { startMetricsServer } from '../../src/metrics/page/server.js';
import { splitLabels } from '../../src/metrics/provider-metrics.js';

const log = createLogger('metrics-test', 'silent');
const valueIn = (page: string, name: string): number =>
  Number(new RegExp(`^cochlea_${name} (\\S+)$`, 'm').exec(page)?.[1]);

t.test('the page sums the rows, takes the largest of lags, and is fresh every time', async (t) => {
  const table = new MetricsTable(3);
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0, table, log });
  t.teardown(() => server.close());
  const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  table.row(0).add('frames_received_total', 5);
  table.row(1).add('segments_sent_total', 2);
  table.row(2).add('segments_sent_total', 3);
  table.row(1).set('shard_lag_milliseconds', 7);
  table.row(2).set('shard_lag_milliseconds', 4);
  table.row(0).set('connections_active', 2);
  // A second table over the same memory, as in another thread.
  new MetricsTable(table.buffer).row(0).addCell(metricCell('frames_received_total'), 1);
  const page = await read();
  t.equal(valueIn(page, 'frames_received_total'), 6);
  t.equal(valueIn(page, 'segments_sent_total'), 5);
  t.equal(valueIn(page, 'shard_lag_milliseconds'), 7);
  t.equal(valueIn(page, 'connections_active'), 2);
  t.match(page, /^process_cpu_seconds_total /m);
  for (const name of metricOrder) {
    t.match(page, `# TYPE cochlea_${splitLabels(name).family} ${isCounter(name) ? 'counter' : 'gauge'}\n`);
  }
  table.row(0).set('connections_active', 1);
  table.row(0).add('frames_received_total', 1);
  const next = await read();
  t.equal(valueIn(next, 'connections_active'), 1);
  t.equal(valueIn(next, 'frames_received_total'), 7);
});

t.test('what is not a number is told by labels', async (t) => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0, table: new MetricsTable(1), log });
  t.teardown(() => server.close());
  server.describe('listener_info', 'The library.', { kind: 'ws', build: 'ws 1.2.3' });
  const page = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  t.match(page, '# TYPE cochlea_listener_info gauge\ncochlea_listener_info{kind="ws",build="ws 1.2.3"} 1\n');
});

t.test('other paths and methods are refused', async (t) => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0, table: new MetricsTable(1), log });
  t.teardown(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  t.equal((await fetch(origin)).status, 404);
  const posted = await fetch(`${origin}/metrics`, { method: 'POST' });
  t.equal(posted.status, 405);
  t.equal(posted.headers.get('allow'), 'GET, HEAD');
});

t.test('a taken port is named with its setting', async (t) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  t.teardown(() => holder.close());
  const { port } = holder.address() as { port: number };
  const table = new MetricsTable(1);
  await t.rejects(startMetricsServer({ host: '127.0.0.1', port, table, log }), {
    code: 'port_taken',
    details: { port, setting: 'METRICS_PORT' },
  });
});
