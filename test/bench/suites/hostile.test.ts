import t from 'tap';
import { openView } from '../../../bench/fleet/live-view.js';
import { sumOf } from '../../../bench/fleet/sent.js';
import type { Slice } from '../../../bench/fleet/session.js';
import { startEngine } from '../../../bench/fleet/targets/engine-target.js';
import { Ending } from '../../../bench/hostile/ending.js';
import { crowdFor, hostileKinds, mostHostile } from '../../../bench/hostile/hostile-kinds.js';
import { startHostile } from '../../../bench/hostile/hostile-process.js';
import { rowSchema } from '../../../bench/report/envelope.js';
import { judgeHostile, runHostile } from '../../../bench/suites/hostile.js';
import { preparedFolder } from '../../support/database/prepared-database.js';
import { slice } from './slice.js';

t.test('there are as many hostile clients as honest ones, a third of each kind', async (t) => {
  for (const [streams, flood, others, beside] of [
    [1, 1, 0, 1],
    [10, 4, 3, 1],
    [150, 50, 50, 15],
    [900, 300, 300, 64],
  ] as const) {
    const crowd = crowdFor(streams);
    t.match(crowd, { flood, 'slow-reader': others, churn: others }, `${streams}`);
    t.match(crowd, { upload: beside, 'short-packet': beside, 'half-open': beside });
  }
  t.match(crowdFor(150), { images: 0, 'image-storm': 0 }, 'not unless they are asked for');
  t.match(crowdFor(150, ['images']), { images: 100, 'image-storm': 0, flood: 0 });
  t.match(crowdFor(150, ['image-storm']), { images: 0, 'image-storm': 100 });
  const most = crowdFor(1_000_000, hostileKinds);
  t.ok(hostileKinds.reduce((sum, kind) => sum + most[kind], 0) <= mostHostile);
});

t.test('the last bytes of a connection show how the server ended it', async (t) => {
  const upgraded = Buffer.from('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  const text = (words: string): Buffer => Buffer.concat([Buffer.of(0x81, words.length), Buffer.from(words)]);
  const close = (code: number, reason: string): Buffer =>
    Buffer.concat([Buffer.of(0x88, 2 + reason.length, code >> 8, code & 255), Buffer.from(reason)]);
  const cases: readonly [parts: readonly Buffer[], words: string][] = [
    [[Buffer.from('HTTP/1.1 429 Too Many Requests\r\n\r\n')], 'HTTP 429'],
    [[upgraded, text('{}'), close(1008, 'text_flood')], '1008 text_flood'],
    [[upgraded, Buffer.concat([text('x'.repeat(120)), close(1001, '')])], '1001'],
    [[upgraded, text('{}')], 'without a close frame'],
    [[], 'without a close frame'],
  ];
  for (const [parts, words] of cases) {
    for (const cut of [1, 12, 1000]) {
      const ending = new Ending();
      const bytes = Buffer.concat(parts);
      for (let at = 0; at < bytes.length; at += cut) ending.take(bytes.subarray(at, at + cut));
      t.equal(ending.words(), words, `${words} by ${cut}`);
    }
  }
});

t.test('a run is judged by losses and by the ratio of both p99 values', async (t) => {
  const errors = { ...sumOf([]), errors: { close_1012: 2 } };
  const cases: readonly [name: string, beside: Slice, failures: readonly RegExp[]][] = [
    ['the same', slice(10), []],
    ['just twice', slice(19.99), []],
    ['more than twice', slice(21), [/2\.10 times, at most 2/]],
    ['drops', slice(10, { dropped: 3 }), [/3 frames dropped/]],
    ['an honest stream ended', slice(10, { sent: errors }), [/close_1012/]],
    ['an honest stream missing', slice(10, { open: 9 }), [/9 of 10 streams held/]],
  ];
  for (const [name, beside, expected] of cases) {
    const { failures } = judgeHostile([slice(10)], [beside]);
    t.equal(failures.length, expected.length, `${name}: ${failures.join('; ')}`);
    for (const [index, pattern] of expected.entries()) t.match(failures[index], pattern);
  }
});

t.test('hostile clients connect to loopback only', async (t) => {
  t.throws(() => startHostile('ws://192.0.2.1:80', crowdFor(3), 1), { message: /127\.0\.0\.1 only/ });
});

t.test('a run reports both loads, and the work of the hostile clients', async (t) => {
  const COCHLEA_DATA_DIR = await preparedFolder(t);
  const outcome = await runHostile({
    target: () => startEngine({ env: { COCHLEA_DATA_DIR } }),
    asked: { streams: 6 },
    kinds: hostileKinds,
    codec: 'opus',
    material: 'speech',
    rampPerS: 100,
    seed: 1,
    settle: 2,
    seconds: 4,
    slice: 2,
    capacity: { slo: 100, hold: 1, shortHold: 1, from: 1, most: 1 },
    view: openView({ write: () => true }, false),
    signal: new AbortController().signal,
  });
  t.equal(outcome.results.length, 2);
  const [alone, beside] = outcome.results;
  for (const row of outcome.results) t.doesNotThrow(() => rowSchema.parse(row));
  t.match(alone, { suite: 'hostile', mode: 'undisturbed', streams: 6, stt: 'discard' });
  t.match(beside, { mode: /^beside 2 flood, 2 slow-reader, 2 churn/, against: 'undisturbed' });
  const { mostHeld, stored, rssBefore, mostRss } = outcome.images!;
  t.ok(stored > 0 && mostHeld > 0, 'images are stored, and begun');
  t.ok(rssBefore > 1e7 && mostRss >= rssBefore);
  t.ok(beside!.ratio! > 0 && beside!.frames_decoded! > 0);
  for (const kind of hostileKinds) t.ok(outcome.hostile!.connects[kind] > 0, `${kind} connected`);
  t.ok(outcome.hostile!.connects.churn > 2, 'each of the two churns: it connects again');
  t.ok(outcome.hostile!.bytesSent > 100_000, 'and floods');
  const { ended, endings } = outcome.hostile!;
  t.equal(
    Object.values(endings).reduce((sum, count) => sum + count, 0),
    ended,
    'each has its reason',
  );
});
