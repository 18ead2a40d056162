/** Tests simulated networks and misbehaving wearables with a generator built with the sanitizers. */
import t from 'tap';
import {
  countOf,
  errorsOf,
  fleetOf,
  followsFile,
  generatorFor,
  listenServer,
  numberedPackets,
  packetFile,
  type Seen,
  snapshotsUntil,
  stopAndDrain,
  totalOf,
} from '../../support/fleet.js';

const packets = numberedPackets(64);
const sanitized = { sanitized: true };

/** Returns the median over all streams of the longest time between two packets. */
const usualLongestGap = (streams: readonly Seen[]): number => {
  const gaps = streams.map(({ arrivals }) =>
    Math.max(...arrivals.slice(1).map((at, i) => at - arrivals[i]!)),
  );
  return gaps.sort((a, b) => a - b)[gaps.length >> 1]!;
};

t.test(
  'jitter and stalls delay packets, keep their order, and do not count as lateness of the generator',
  async (t) => {
    const server = await listenServer(t);
    const calm = await listenServer(t);
    const path = await packetFile(t, packets);
    // A second generator with a perfect network measures the delays of this machine.
    const reference = await generatorFor(t, fleetOf(calm.url, path), sanitized);
    const generator = await generatorFor(
      t,
      {
        ...fleetOf(server.url, path),
        network: { jitterMs: 5, stallShare: 0.5, stallMs: 200 },
      },
      sanitized,
    );
    const streams = 20;
    reference.setStreams(streams);
    generator.setStreams(streams);
    const all = await snapshotsUntil(generator, (seen) => totalOf(seen, 'framesSent') > 100 * streams);
    const last = await stopAndDrain(generator, server);
    await stopAndDrain(reference, calm);
    const total = [...all, last];
    t.ok(server.streams.every(({ frames }) => followsFile(frames, packets)));
    t.equal(
      totalOf(total, 'framesSent'),
      server.streams.reduce((sum, { frames }) => sum + frames.length, 0),
    );
    t.equal(errorsOf(total, 'frames_lost'), 0);
    t.equal(totalOf(total, 'framesBlocked'), 0, 'the network is slow, the server is not');
    const ratio = usualLongestGap(server.streams) / usualLongestGap(calm.streams);
    t.ok(ratio > 2, `packets wait for the end of stalls: gaps ${ratio.toFixed(1)} times as long`);
  },
);

t.test('disconnects are alternately with and without a close frame, and the stream reconnects', async (t) => {
  const server = await listenServer(t);
  const generator = await generatorFor(
    t,
    {
      ...fleetOf(server.url, await packetFile(t, packets)),
      network: { disconnectEveryS: 0.15, reconnectMs: 10 },
    },
    sanitized,
  );
  generator.setStreams(8);
  const all = await snapshotsUntil(generator, (seen) => totalOf(seen, 'reconnects') >= 40);
  const last = await stopAndDrain(generator, server);
  const codes = await Promise.all(server.streams.map(({ closed }) => closed));
  const polite = codes.filter((code) => code === 1001).length;
  const rude = codes.filter((code) => code === 1006).length;
  t.ok(
    polite >= 10 && rude >= 10 && Math.abs(polite - rude) <= 8,
    `${polite} with a close frame, ${rude} without`,
  );
  t.same(
    Object.keys(Object.assign({}, ...[...all, last].map(({ errors }) => errors))),
    [],
    'they are no errors',
  );
  // The server may have accepted the last connections while the generator ended.
  const unseen = server.streams.length - totalOf([...all, last], 'connects');
  t.ok(unseen >= 0 && unseen <= 8);
  t.equal(totalOf([...all, last], 'connects') - totalOf([...all, last], 'reconnects'), 8);
  t.ok(server.streams.every(({ frames }) => followsFile(frames, packets)));
});

t.test('keep-alives are single bytes between the packets', async (t) => {
  const server = await listenServer(t);
  const generator = await generatorFor(
    t,
    { ...fleetOf(server.url, await packetFile(t, packets)), keepAliveMs: 25 },
    sanitized,
  );
  generator.setStreams(4);
  const all = await snapshotsUntil(generator, (seen) => totalOf(seen, 'keepAlivesSent') >= 40);
  const last = await stopAndDrain(generator, server);
  t.equal(
    totalOf([...all, last], 'keepAlivesSent'),
    server.streams.reduce((sum, { keepAlives }) => sum + keepAlives, 0),
  );
  t.ok(server.streams.every(({ frames }) => followsFile(frames, packets)));
});

t.test('pings are answered', async (t) => {
  const answers: string[] = [];
  const server = await listenServer(t, ({ socket }) => {
    socket.on('pong', (data) => answers.push(data.toString()));
    socket.ping('are you there?');
  });
  const generator = await generatorFor(t, fleetOf(server.url, await packetFile(t, packets)), sanitized);
  generator.setStreams(3);
  await snapshotsUntil(generator, () => answers.length === 3);
  t.same(answers, Array(3).fill('are you there?'));
});

t.test('odd wearables send messages that no server asked for, and read slowly', async (t) => {
  const server = await listenServer(t, ({ socket }) => {
    for (let i = 0; i < 30; i++) socket.send(`[${'x'.repeat(5000)}]`);
  });
  const generator = await generatorFor(
    t,
    { ...fleetOf(server.url, await packetFile(t, packets)), oddShare: 1, queueMs: 500 },
    sanitized,
  );
  generator.setStreams(24);
  const all = await snapshotsUntil(generator, (seen) => totalOf(seen, 'oddSent') >= 12);
  const last = await stopAndDrain(generator, server);
  const total = [...all, last];
  const texts = server.streams.flatMap(({ texts }) => texts);
  const isPacket = (frame: Buffer): boolean => packets[frame.readUInt16BE()]?.length === frame.length;
  const malformed = server.streams.flatMap(({ frames }) => frames.filter((frame) => !isPacket(frame)));
  t.ok(texts.length > 0 && malformed.length > 0);
  t.equal(texts.length + malformed.length, totalOf(total, 'oddSent'));
  for (const text of texts) t.throws(() => JSON.parse(text), text);
  t.equal(
    server.streams.reduce((sum, { frames }) => sum + frames.length, 0) - malformed.length,
    totalOf(total, 'framesSent'),
  );
  t.ok(
    server.streams.some(({ frames }) => frames.length < 2),
    'some hardly say anything',
  );
  t.ok(totalOf(all, 'textsReceived') < 24 * 30, 'some hardly read');
  t.equal(
    total.reduce((sum, { segmentLag }) => sum + countOf(segmentLag), 0),
    0,
  );
});
