/** Tests when the generator sends, and what it measures. The file runs alone, because it depends on time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { runGenerator } from '../../../bench/suites/generator.js';
import {
  errorsOf,
  fleetOf,
  followsFile,
  generatorFor,
  largestOf,
  listenServer,
  numberedPackets,
  packetFile,
  snapshotsUntil,
  stopAndDrain,
  totalOf,
} from '../../support/fleet.js';
import { until } from '../../support/until.js';

const packets = numberedPackets(64);
/** Inaccuracy in ms: a step of the timing wheel, a rounded ms and the histogram's 0.1 %. */
const blur = 3;

t.test('packets leave when they are due, in the right number and evenly spread', async (t) => {
  const server = await listenServer(t);
  const generator = await generatorFor(t, fleetOf(server.url, await packetFile(t, packets)));
  const streams = 10;
  generator.setStreams(streams);
  const started = await snapshotsUntil(generator, (seen) => totalOf(seen, 'framesSent') > 10 * streams);
  const later = await snapshotsUntil(generator, (seen) => totalOf(seen, 'framesSent') > 50 * streams);
  const last = await stopAndDrain(generator, server);
  const late = largestOf([...started, ...later, last].map(({ lateness }) => lateness)) + blur;
  const ms = later.at(-1)!.atMs - started.at(-1)!.atMs;
  const sent = totalOf(later, 'framesSent');
  t.ok(sent >= (streams * (ms - late)) / 10 - streams, `${sent} in ${ms} ms, at most ${late} ms late`);
  t.ok(sent <= (streams * (ms + late)) / 10 + streams, `${sent} in ${ms} ms, at most ${late} ms late`);
  const phases = new Set<number>();
  for (const { arrivals, frames } of server.streams) {
    // The packet with the least delay shows when the first packet was due.
    const start = arrivals.reduce((least, at, i) => Math.min(least, at - i * 10), Infinity);
    phases.add(Math.floor(start % 10));
    t.ok(followsFile(frames, packets));
  }
  t.ok(phases.size >= 3, 'their phases are spread over the time between two packets');
});

t.test('a generator that was paused sends every due packet, and reports how late', async (t) => {
  const server = await listenServer(t);
  const path = await packetFile(t, packets);
  const generator = await generatorFor(t, fleetOf(server.url, path));
  // Another generator runs at the same time. Its packets show how many packets the first generator should have sent.
  const other = await listenServer(t);
  const running = await generatorFor(t, fleetOf(other.url, path));
  running.setStreams(1);
  generator.setStreams(5);
  const before = await snapshotsUntil(generator, (seen) => totalOf(seen, 'framesSent') > 50);
  const meanwhile = (): number => other.streams[0]?.frames.length ?? 0;
  await until(meanwhile, 'the other generator sends');
  process.kill(generator.pid, 'SIGSTOP');
  const stopped = meanwhile();
  await until(() => meanwhile() > stopped + 30, 'the other generator goes on');
  const owed = meanwhile() - stopped;
  process.kill(generator.pid, 'SIGCONT');
  const after = await generator.snapshot();
  const rest = await snapshotsUntil(generator, (seen) => totalOf(seen, 'framesSent') > 50);
  const last = await stopAndDrain(generator, server);
  const total = [...before, after, ...rest, last];
  const late = largestOf(total.map(({ lateness }) => lateness)) / 10;
  t.ok(late > 0.8 * owed, `late by ${late} packets, the other sent ${owed}`);
  t.equal(
    totalOf(total, 'framesSent'),
    server.streams.reduce((sum, { frames }) => sum + frames.length, 0),
  );
  t.ok(
    server.streams.every(({ frames }) => followsFile(frames, packets)),
    'none was left out',
  );
  t.equal(errorsOf(total, 'frames_lost'), 0);
});

t.test('a refused upgrade is counted and retried after longer and longer pauses', async (t) => {
  const attempts = new Map<string, number[]>();
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    attempts.set(request.url!, [...(attempts.get(request.url!) ?? []), performance.now()]);
    socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const generator = await generatorFor(t, fleetOf(url, await packetFile(t, packets)));
  generator.setStreams(4);
  const times = (): number[][] => [...attempts.values()];
  const all = await snapshotsUntil(generator, () => times().filter((at) => at.length >= 4).length === 4);
  const last = await generator.stop();
  const pauseAfter = (attempt: number): number =>
    times().reduce((sum, at) => sum + at[attempt]! - at[attempt - 1]!, 0);
  const growth = pauseAfter(3) / pauseAfter(1);
  t.ok(growth > 2, `the third pause is ${growth.toFixed(1)} times the first`);
  t.equal(errorsOf([...all, last], 'http_503'), times().flat().length);
  t.equal(totalOf([...all, last], 'connects'), 0);
});

t.test('the check of the generator counts sent and received packets', async (t) => {
  const { results, broken } = await runGenerator({ streams: 20, seconds: 1, rounds: 1, sliceSeconds: 0.3 });
  // Pace and noise depend on the machine, but the arrived packets do not.
  t.same(
    broken.filter((line) => /received|errors/.test(line)),
    [],
  );
  t.same(
    results.map(({ contender, mode, streams }) => [contender, mode, streams]),
    [
      ['generator', 'steady', 20],
      ['generator', 'A/A', 20],
      ['generator again', 'A/A', 20],
    ],
  );
  for (const row of results)
    t.ok(row.ns_per_frame! > 0 && row.generator_cores! > 0 && row.p99_lateness_ms! >= 0);
  t.ok(results[0]!.frames_sent! > 0);
});
