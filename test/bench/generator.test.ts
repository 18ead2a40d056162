import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { buildGenerator } from '../../bench/fleet/generator-process.js';
import { runGenerator } from '../../bench/suites/generator.js';
import {
  countOf,
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
} from '../support/fleet.js';
import { until } from '../support/until.js';

const packets = numberedPackets(64);
/** ms by which a step of the timing wheel, a rounded ms and the histogram's 0.1 % may blur a time. */
const blur = 3;

t.test('histogram, timing wheel, network model and handshake hold on their own', async (t) => {
  const [, , check] = await buildGenerator();
  t.equal(execFileSync(check!, { encoding: 'utf8' }), '');
});

t.test(
  'every packet of the file arrives, in order and unchanged, from classes by their weight',
  async (t) => {
    const server = await listenServer(t);
    const path = await packetFile(t, packets);
    const long = numberedPackets(9, 70_000);
    const longPath = await packetFile(t, long);
    const generator = await generatorFor(t, {
      ...fleetOf(server.url, path),
      classes: [
        { name: 'short', weight: 3, packets: path, frameMs: 10, query: 'codec=opus' },
        { name: 'long', weight: 1, packets: longPath, frameMs: 40, query: 'codec=pcm16' },
      ],
      headers: { Authorization: 'Bearer abc' },
      uidPrefix: 'wearable ',
    });
    generator.setStreams(20);
    const all = await snapshotsUntil(
      generator,
      () => server.streams.filter(({ frames }) => frames.length > 10).length === 20,
    );
    const last = await stopAndDrain(generator, server);
    const total = [...all, last];
    t.equal(server.streams.length, 20);
    t.same(
      new Set(server.streams.map(({ uid }) => uid)),
      new Set(Array.from({ length: 20 }, (_, i) => `wearable ${i}`)),
    );
    t.ok(server.streams.every(({ request }) => request.headers.authorization === 'Bearer abc'));
    const longOnes = server.streams.filter(({ query }) => query.get('codec') === 'pcm16');
    t.equal(longOnes.length, 5, 'a quarter');
    for (const { frames, query, uid } of server.streams) {
      t.ok(frames.length > 5 && followsFile(frames, query.get('codec') === 'pcm16' ? long : packets), uid);
    }
    t.ok(
      new Set(server.streams.map(({ frames }) => frames[0]!.readUInt16BE())).size > 4,
      'they begin anywhere',
    );
    const received = server.streams.flatMap(({ frames }) => frames);
    t.equal(totalOf(total, 'framesSent'), received.length);
    t.equal(
      totalOf(total, 'bytesSent'),
      received.reduce((sum, { length }) => sum + length, 0),
    );
    t.equal(
      totalOf(total, 'audioMs'),
      server.streams.reduce(
        (sum, { frames, query }) => sum + frames.length * (query.get('codec') === 'pcm16' ? 40 : 10),
        0,
      ),
    );
    t.equal(
      total.reduce((sum, { lateness }) => sum + countOf(lateness), 0),
      received.length,
    );
    t.equal(totalOf(total, 'connects'), 20);
    t.equal(
      total.reduce((sum, { connectTime }) => sum + countOf(connectTime), 0),
      20,
    );
    t.same(last.errors, {});
    t.same(new Set(await Promise.all(server.streams.map(({ closed }) => closed))), new Set([1000]));
  },
);

t.test('the same seed makes the same fleet', async (t) => {
  const path = await packetFile(t, packets);
  const fleets: string[][] = [];
  for (const seed of [3, 3, 4]) {
    const server = await listenServer(t);
    const generator = await generatorFor(t, { ...fleetOf(server.url, path), seed });
    generator.setStreams(12);
    await snapshotsUntil(
      generator,
      () => server.streams.filter(({ frames }) => frames.length > 0).length === 12,
    );
    await generator.stop();
    fleets.push(server.streams.map(({ uid, frames }) => `${uid} ${frames[0]!.readUInt16BE()}`).sort());
  }
  t.same(fleets[0], fleets[1]);
  t.notSame(fleets[0], fleets[2]);
});

t.test('packets leave when they are due: as many as the time asks for, and spread', async (t) => {
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
    // The least delayed packet tells when the first one was due.
    const start = arrivals.reduce((least, at, i) => Math.min(least, at - i * 10), Infinity);
    phases.add(Math.floor(start % 10));
    t.ok(followsFile(frames, packets));
  }
  t.ok(phases.size >= 3, 'their phases are spread over the time between two packets');
});

t.test('a generator that was held up sends every packet it owes, and says how late', async (t) => {
  const server = await listenServer(t);
  const path = await packetFile(t, packets);
  const generator = await generatorFor(t, fleetOf(server.url, path));
  // What another generator sends meanwhile tells how much the first one owes.
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

t.test('fewer streams: the newest leave with 1000; more again: they come back', async (t) => {
  const server = await listenServer(t);
  const generator = await generatorFor(t, fleetOf(server.url, await packetFile(t, packets)));
  const openUids = (): string[] =>
    server.streams
      .filter(({ closeCode }) => closeCode === undefined)
      .map(({ uid }) => uid)
      .sort();
  generator.setStreams(9);
  await snapshotsUntil(generator, (seen) => seen.at(-1)!.open === 9 && openUids().length === 9);
  generator.setStreams(4);
  await snapshotsUntil(generator, () => openUids().length === 4);
  t.same(openUids(), ['fleet-0', 'fleet-1', 'fleet-2', 'fleet-3']);
  t.ok(server.streams.every(({ closeCode }) => closeCode === undefined || closeCode === 1000));
  generator.setStreams(6);
  const grown = await snapshotsUntil(generator, (seen) => seen.at(-1)!.open === 6 && openUids().length === 6);
  t.same(openUids(), ['fleet-0', 'fleet-1', 'fleet-2', 'fleet-3', 'fleet-4', 'fleet-5']);
  t.equal(totalOf(grown, 'connects'), 2);
  t.equal(totalOf(grown, 'reconnects'), 0, 'these are new streams');
  t.equal(grown.at(-1)!.wanted, 6);
  t.throws(() => generator.setStreams(generator.limit + 1), { message: /file descriptors.*ulimit/ });
});

t.test('streams beyond the ports of one loopback address leave from others', async (t) => {
  const server = await listenServer(t);
  const generator = await generatorFor(t, fleetOf(server.url, await packetFile(t, packets)), {
    flags: ['--streams-per-address', '2'],
  });
  generator.setStreams(5);
  await snapshotsUntil(generator, (seen) => seen.at(-1)!.open === 5);
  t.same(server.streams.map(({ uid, request }) => `${uid} ${request.socket.remoteAddress}`).sort(), [
    'fleet-0 127.0.0.1',
    'fleet-1 127.0.0.1',
    'fleet-2 127.0.0.2',
    'fleet-3 127.0.0.2',
    'fleet-4 127.0.0.3',
  ]);
});

t.test('SIGTERM closes every stream and still tells the last snapshot', async (t) => {
  const server = await listenServer(t);
  const generator = await generatorFor(t, fleetOf(server.url, await packetFile(t, packets)));
  generator.setStreams(8);
  const all = await snapshotsUntil(generator, (seen) => totalOf(seen, 'framesSent') > 50);
  process.kill(generator.pid, 'SIGTERM');
  const last = await stopAndDrain(generator, server);
  t.same(await Promise.all(server.streams.map(({ closed }) => closed)), Array(8).fill(1000));
  t.equal(
    totalOf([...all, last], 'framesSent'),
    server.streams.reduce((sum, { frames }) => sum + frames.length, 0),
  );
  t.equal(last.open, 0);
  await t.rejects(generator.snapshot(), { message: /generator: ended with 0/ });
});

t.test('a refused upgrade is counted and tried again later and later', async (t) => {
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

t.test('a server that is not there is counted, and served once it is', async (t) => {
  const path = await packetFile(t, packets);
  const gone = await listenServer(t);
  await gone.close();
  const generator = await generatorFor(t, fleetOf(gone.url, path));
  generator.setStreams(3);
  const dead = await snapshotsUntil(generator, (seen) => errorsOf(seen, 'connect_refused') >= 6);
  t.ok(totalOf(dead, 'cpuMs') < dead.at(-1)!.atMs / 2, 'it does not spin');
  const server = await listenServer(t, undefined, Number(new URL(gone.url).port));
  await snapshotsUntil(generator, (seen) => seen.at(-1)!.open === 3);
  await generator.stop();
  t.equal(server.streams.length, 3);
});

t.test('the proof of the generator counts what it sent and what came', async (t) => {
  const { results, broken } = await runGenerator({ streams: 20, seconds: 1, rounds: 1, sliceSeconds: 0.3 });
  // Pace and noise depend on the machine; what arrived does not.
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
