/** Tests which streams the generator opens and their content. Time has no effect on this test. */
import { execFileSync } from 'node:child_process';
import t from 'tap';
import { buildGenerator } from '../../../bench/fleet/generator-process.js';
import {
  countOf,
  errorsOf,
  fleetOf,
  followsFile,
  generatorFor,
  listenServer,
  numberedPackets,
  packetFile,
  snapshotsUntil,
  stopAndDrain,
  totalOf,
} from '../../support/fleet.js';

const packets = numberedPackets(64);

t.test('histogram, timing wheel, network model and handshake pass their own tests', async (t) => {
  const [, , check] = await buildGenerator();
  t.equal(execFileSync(check!, { encoding: 'utf8' }), '');
});

t.test(
  'every packet of the file arrives, in order and unchanged, and classes have their share',
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

t.test('the same seed produces the same fleet', async (t) => {
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

t.test('if fewer streams are asked for, the newest close with 1000, and later return', async (t) => {
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

t.test('streams that exceed the ports of one loopback address use further addresses', async (t) => {
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

t.test('after SIGTERM, every stream closes and the last snapshot is still sent', async (t) => {
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

t.test('failed connections to an absent server are counted, and it is used once it is there', async (t) => {
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
