import fc from 'fast-check';
import t from 'tap';
import { countedQuantile, mergeCounted } from '../../../bench/fleet/counted.js';
import {
  type Distribution,
  gained,
  merged,
  quantileOf,
  readPage,
} from '../../../bench/fleet/targets/server-page.js';

const page = (prefix: string, extra = ''): string => `
# HELP ${prefix}frames_decoded_total Frames decoded.
# TYPE ${prefix}frames_decoded_total counter
${prefix}frames_decoded_total 1200
${prefix}frames_invalid_total{kind="odd, really"} 3
${prefix}vad_windows_total{shard="0"} 700
${prefix}vad_windows_total{shard="1"} 50
${prefix}messages_dropped_total 99
${prefix}speech_buffer_bytes 4096
${prefix}connections_active 12
process_cpu_seconds_total 1.5
process_resident_memory_bytes 2.048e+6
${prefix}frame_to_vad_seconds_bucket{le="0.001"} 10
${prefix}frame_to_vad_seconds_bucket{le="0.002"} 30
${prefix}frame_to_vad_seconds_bucket{le="+Inf"} 40
${prefix}frame_to_vad_seconds_sum 0.1
${prefix}frame_to_vad_seconds_count 40
${extra}`;

t.test('a page of metrics is read with any prefix of its names', async (t) => {
  for (const prefix of ['', 'cochlea_', 'peer_node_']) {
    const reading = readPage(page(prefix));
    t.match(reading, {
      framesDecoded: 1200,
      framesInvalid: 3,
      vadWindows: 750,
      dropped: 0,
      speechBufferBytes: 4096,
      connections: 12,
      processCpuS: 1.5,
      processRssBytes: 2_048_000,
    });
    t.same(reading.frameToVad, { bounds: [1, 2, Number.POSITIVE_INFINITY], counts: [10, 20, 10] });
  }
});

t.test('dropped frames are counted once, under any of their names', async (t) => {
  const cases: [string, number][] = [
    ['cochlea_ring_frames_dropped_total 5', 5],
    ['cochlea_frames_queue_dropped_total 7', 7],
    ['peer_frames_dropped_total 2', 2],
    [
      'a_ring_frames_dropped_total 5\na_frames_queue_dropped_total 7\na_frames_dropped_total{why="late"} 2',
      14,
    ],
  ];
  for (const [lines, dropped] of cases) t.equal(readPage(page('a_', lines)).dropped, dropped, lines);
});

t.test('a page without a necessary metric is refused, and the error names the metric', async (t) => {
  t.throws(() => readPage('up 1\n'), { message: /no frames_decoded_total/ });
  t.throws(() => readPage('frames_decoded_total 1\n'), { message: /no vad_windows_total/ });
});

t.test('of two readings, only the difference counts', async (t) => {
  const bounds = [1, 2, 4];
  const before: Distribution = { bounds, counts: [5, 5, 0] };
  const after: Distribution = { bounds, counts: [5, 7, 1] };
  t.same(gained(before, after).counts, [0, 2, 1]);
  t.same(
    gained({ bounds: [], counts: [] }, after).counts,
    after.counts,
    'a server that had nothing to show yet',
  );
  t.same(merged([gained(before, after), before, { bounds: [], counts: [] }]).counts, [5, 7, 1]);
});

const geometric = Array.from({ length: 112 }, (_, k) => 0.5 * 1.1 ** k);

const fill = (values: readonly number[]): Distribution => {
  const bounds = [...geometric, Number.POSITIVE_INFINITY];
  const counts = bounds.map(() => 0);
  for (const value of values) counts[bounds.findIndex((bound) => value <= bound)]!++;
  return { bounds, counts };
};

t.test('a quantile lies in the bucket of the true quantile', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.01, max: 15_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (values, share) => {
        const sorted = [...values].sort((a, b) => a - b);
        const truth = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
        const at = geometric.findIndex((bound) => truth <= bound);
        const found = quantileOf(fill(values), share)!;
        return found <= geometric[at]! * 1.000001 && found >= (geometric[at - 1] ?? 0) * 0.999999;
      },
    ),
  );
  t.equal(quantileOf({ bounds: [1, 2], counts: [0, 4] }, 0.5), 1.5, 'evenly spread inside a bucket');
  t.equal(
    quantileOf({ bounds: [1, Number.POSITIVE_INFINITY], counts: [0, 4] }, 0.5),
    1,
    'beyond the last bound',
  );
  t.equal(quantileOf({ bounds: [1], counts: [0] }, 0.5), undefined);
});

t.test('histograms of the generator add up, and their quantiles are measured values', async (t) => {
  const whole = mergeCounted([
    [
      [1000, 90],
      [5000, 1],
    ],
    [
      [5000, 8],
      [2000, 1],
    ],
  ]);
  t.same(whole, [
    [1000, 90],
    [2000, 1],
    [5000, 9],
  ]);
  t.equal(countedQuantile(whole, 0.5), 1);
  t.equal(countedQuantile(whole, 0.91), 2);
  t.equal(countedQuantile(whole, 0.99), 5);
  t.equal(countedQuantile(whole, 1), 5);
  t.equal(countedQuantile([], 0.5), undefined);
});
