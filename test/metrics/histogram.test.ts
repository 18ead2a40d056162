/** Tests the buckets of the histograms, and how the metrics page shows them. */
import t from 'tap';
import { createLogger } from '../../src/log/logger.js';
import { bucketOf, histogramBounds } from '../../src/metrics/histogram.js';
import { MetricsTable } from '../../src/metrics/metrics.js';
import { startMetricsServer } from '../../src/metrics/page/server.js';

t.test('bounds rise by a tenth from half a millisecond to twenty seconds', async (t) => {
  t.equal(histogramBounds.length, 112);
  t.equal(histogramBounds[0], 0.0005);
  for (const [k, bound] of histogramBounds.entries()) t.equal(bound, 0.0005 * 1.1 ** k);
  t.ok(histogramBounds.at(-1)! > 19 && histogramBounds.at(-1)! < 20);
});

t.test('a value belongs to the first bucket whose bound it does not exceed', async (t) => {
  for (const [bucket, bound] of histogramBounds.entries()) {
    const low = histogramBounds[bucket - 1] ?? 0;
    for (const value of [bound, (low + bound) / 2, low + (bound - low) * 1e-9]) {
      if (value > low && value <= bound) t.equal(bucketOf(value), bucket, `${value}`);
    }
    t.equal(bucketOf(bound * (1 + 1e-9)), bucket + 1, `over ${bound}`);
  }
  for (const value of [0, -1, Number.NaN, 1e-300]) t.equal(bucketOf(value), 0, `${value}`);
  for (const value of [20, 1e9, Number.POSITIVE_INFINITY]) t.equal(bucketOf(value), 112, `${value}`);
});

interface Sample {
  readonly name: string;
  readonly le: string | undefined;
  readonly value: number;
}

/** Parses the part of the Prometheus text format that this page uses. @throws Error for an invalid line. */
const parse = (page: string): { types: Map<string, string>; samples: Sample[] } => {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  if (!page.endsWith('\n')) throw new Error('the last line has no end');
  for (const line of page.split('\n')) {
    if (line === '' || /^# HELP [a-zA-Z_:][\w:]* \S/.test(line)) continue;
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type) {
      if (types.has(type[1]!)) throw new Error(`a second type of ${type[1]}`);
      types.set(type[1]!, type[2]!);
      continue;
    }
    const sample = /^([a-zA-Z_:][\w:]*)(\{(?:\w+="[^"]*",?)+\})? (\S+)$/.exec(line);
    const value = Number(sample?.[3]);
    if (!sample || (Number.isNaN(value) && sample[3] !== 'Nan')) throw new Error(`not a sample: ${line}`);
    samples.push({ name: sample[1]!, le: /le="([^"]*)"/.exec(sample[2] ?? '')?.[1], value });
  }
  return { types, samples };
};

t.test('the page adds the rows up and is what Prometheus reads', async (t) => {
  const table = new MetricsTable(3);
  const server = await startMetricsServer({
    host: '127.0.0.1',
    port: 0,
    table,
    log: createLogger('metrics-test', 'silent'),
  });
  t.teardown(() => server.close());
  const name = 'cochlea_frame_to_vad_seconds';
  const read = async () => {
    const { types, samples } = parse(await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text());
    t.equal(types.get(name), 'histogram');
    t.equal(types.get('cochlea_speech_buffer_bytes'), 'gauge');
    const of = (ending: string) => samples.filter((sample) => sample.name === `${name}${ending}`);
    return { buckets: of('_bucket'), sum: of('_sum')[0]!.value, count: of('_count')[0]!.value };
  };

  const empty = await read();
  t.equal(empty.count, 0);
  t.equal(empty.sum, 0);
  t.same(
    empty.buckets.map(({ le }) => le),
    [...histogramBounds.map(String), '+Inf'],
  );

  // Another thread has its own table over the same memory.
  const thread = new MetricsTable(table.buffer);
  for (const seconds of [0.0004, 0.008, 0.008]) thread.row(1).observe('frame_to_vad_seconds', seconds);
  for (const seconds of [0.05, 25]) table.row(2).observe('frame_to_vad_seconds', seconds);
  const full = await read();
  t.equal(full.count, 5);
  t.ok(Math.abs(full.sum - 25.0664) < 1e-9, `${full.sum}`);
  for (const [bucket, { value }] of full.buckets.entries()) {
    const bound = histogramBounds[bucket] ?? Number.POSITIVE_INFINITY;
    const expected = [0.0004, 0.008, 0.008, 0.05, 25].filter((seconds) => seconds <= bound).length;
    t.equal(value, expected, `le ${bound}`);
  }
});
