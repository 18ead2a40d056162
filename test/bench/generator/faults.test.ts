/** Runs misbehaving servers against a generator built with the sanitizers. The generator counts every fault and never crashes. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import t from 'tap';
import {
  countOf,
  errorsOf,
  fleetOf,
  generatorFor,
  listenServer,
  numberedPackets,
  packetFile,
  snapshotsUntil,
  totalOf,
} from '../../support/fleet.js';
import { accepted, clientFrames, frame, rawServer } from '../../support/servers/raw-server.js';

const packets = numberedPackets(64);
const sanitized = { sanitized: true };

/** Returns a server that accepts the upgrade and sends bytes after the answer. */
const saying =
  (...said: readonly (Buffer | string)[]) =>
  (socket: Socket, request: string): void => {
    socket.resume();
    socket.write(accepted(request));
    for (const bytes of said) socket.write(bytes);
  };

const headOf = (lines: string) => (socket: Socket) => socket.end(`${lines}\r\n\r\n`);

t.test('invalid answers of a server are counted by kind', async (t) => {
  const masked = Buffer.concat([Buffer.from([0x81, 0x81, 1, 2, 3, 4]), Buffer.from([0])]);
  const cases: readonly [name: string, onRequest: (socket: Socket, request: string) => void, kind: string][] =
    [
      ['no HTTP', (socket) => socket.end('hello\r\n\r\n'), 'upgrade_malformed'],
      [
        'bytes',
        (socket) => socket.end(Buffer.concat([randomBytes(4000), Buffer.from('\r\n\r\n')])),
        'upgrade_malformed',
      ],
      ['a head without end', (socket) => socket.resume().write('x'.repeat(9000)), 'upgrade_malformed'],
      ['half a head', (socket) => socket.end('HTTP/1.1 101 Switching'), 'upgrade_closed'],
      ['nothing', (socket) => socket.end(), 'upgrade_closed'],
      ['a reset', (socket) => socket.resetAndDestroy(), 'reset'],
      ['a refusal', headOf('HTTP/1.1 401 Unauthorized'), 'http_401'],
      ['a page', headOf('HTTP/1.1 200 OK\r\nContent-Length: 0'), 'http_200'],
      [
        'another protocol',
        headOf('HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: Upgrade'),
        'upgrade_malformed',
      ],
      [
        'an answer to another key',
        (socket) => socket.end(accepted('Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n')),
        'accept_mismatch',
      ],
      [
        'an extension that was not asked for',
        (socket, request) =>
          socket.end(
            accepted(request).replace('\r\n\r\n', '\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n'),
          ),
        'upgrade_malformed',
      ],
      ['a masked frame', saying(masked), 'protocol'],
      ['reserved bits', saying(frame(0xc1, 'a')), 'protocol'],
      ['an unknown opcode', saying(frame(0x83, 'a')), 'protocol'],
      ['an unknown control opcode', saying(frame(0x8b, 'a')), 'protocol'],
      ['a long ping', saying(frame(0x89, Buffer.alloc(126))), 'protocol'],
      ['a ping in pieces', saying(frame(0x09, 'a')), 'protocol'],
      ['a continuation of nothing', saying(frame(0x80, 'a')), 'protocol'],
      ['a message inside a message', saying(frame(0x01, 'a'), frame(0x81, 'b')), 'protocol'],
      ['half a close code', saying(frame(0x88, 'a')), 'protocol'],
      [
        'a message of 2^63 bytes',
        saying(Buffer.from([0x82, 127, 128, 0, 0, 0, 0, 0, 0, 0])),
        'message_too_long',
      ],
      [
        'pieces above 1 MiB',
        saying(frame(0x02, Buffer.alloc(700_000)), frame(0x80, Buffer.alloc(700_000))),
        'message_too_long',
      ],
      ['a close', saying(frame(0x88, Buffer.from([1011 >> 8, 1011 & 255, 0x61]))), 'close_1011'],
      ['a close without a code', saying(frame(0x88)), 'close_1005'],
      ['an end without a close', (socket, request) => socket.end(accepted(request)), 'eof'],
    ];
  const path = await packetFile(t, packets);
  for (const [name, onRequest, kind] of cases) {
    const server = await rawServer(t, onRequest);
    const generator = await generatorFor(t, fleetOf(server.url, path), sanitized);
    generator.setStreams(1);
    const all = await snapshotsUntil(generator, (seen) =>
      seen.some(({ errors }) => Object.keys(errors).length > 0),
    );
    await generator.stop();
    t.same(
      all.flatMap(({ errors }) => Object.keys(errors)),
      [kind],
      name,
    );
  }
});

t.test('random bytes after the upgrade never crash the generator', async (t) => {
  const path = await packetFile(t, packets);
  const server = await rawServer(t, (socket, request) => {
    socket.resume();
    socket.write(accepted(request));
    const bytes = randomBytes(3000);
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + (bytes[at]! % 90);
      socket.write(bytes.subarray(at, at + length));
      at += length;
    }
  });
  const generator = await generatorFor(t, fleetOf(server.url, path), sanitized);
  generator.setStreams(40);
  const all = await snapshotsUntil(generator, () => server.sockets.length > 100);
  const last = await generator.stop();
  t.ok(totalOf([...all, last], 'connects') > 40);
});

t.test('messages in any fragments are understood, and pings are answered with their payload', async (t) => {
  const segments = JSON.stringify([{ id: 'a', text: 'say \\"end\\":9', start: 0, end: 0.03 }]);
  const spaced = '[{"end": 0.01, "start": 0}, {"end":0.04}, {"end":null}]';
  const said = Buffer.concat([
    frame(0x81, 'ping'),
    frame(0x01, segments.slice(0, 9)),
    frame(0x89, 'between'),
    frame(0x00, segments.slice(9, 20)),
    frame(0x80, segments.slice(20)),
    frame(0x82, Buffer.alloc(300)),
    frame(0x8a, 'a pong that was not asked for'),
    frame(0x81, spaced),
    frame(0x81, '{"type":"event","end":1}'),
    frame(0x81, Buffer.alloc(70_000, 'x')),
    frame(0x89, Buffer.alloc(125, 'p')),
  ]);
  const path = await packetFile(t, packets);
  for (const step of [1, 7, 4096, said.length]) {
    let received = Buffer.alloc(0);
    const server = await rawServer(t, (socket, request) => {
      socket.setNoDelay(true);
      socket.on('data', (data: Buffer) => {
        received = Buffer.concat([received, data]);
        if (clientFrames(received).at(-1)?.opcode === 8) socket.end();
      });
      // The first piece is sent with the answer. Only the beginning is sent byte by byte, to avoid 70,000 writes.
      socket.write(Buffer.concat([Buffer.from(accepted(request)), said.subarray(0, step)]));
      let at = step;
      for (; at < Math.min(said.length, 600); at += step) socket.write(said.subarray(at, at + step));
      socket.write(said.subarray(at));
    });
    const generator = await generatorFor(t, fleetOf(server.url, path), sanitized);
    generator.setStreams(1);
    const pongs = (): Buffer[] =>
      clientFrames(received)
        .filter(({ opcode }) => opcode === 10)
        .map(({ payload }) => payload);
    const all = await snapshotsUntil(generator, () => pongs().length === 2);
    const last = await generator.stop();
    t.same(pongs().map(String), ['between', 'p'.repeat(125)], `pieces of ${step}`);
    t.equal(totalOf([...all, last], 'textsReceived'), 5);
    t.equal(totalOf([...all, last], 'segmentsReceived'), 3);
    t.same(last.errors, {});
  }
});

t.test(
  'a segment is late since its last sample was due, is counted once, and not after a reconnect',
  async (t) => {
    const path = await packetFile(t, packets);
    let since = 0;
    const server = await listenServer(t, ({ socket, frames, arrivals }) => {
      const say = (...segments: object[]): void => socket.send(JSON.stringify(segments));
      socket.on('message', () => {
        // After the 30th packet, sends segments that end with the 5th and the 10th packet.
        if (frames.length === 30) {
          since ||= performance.now() - arrivals[9]!;
          say({ id: 'a', start: 0, end: 0.05 }, { id: 'b', start: 0.01, end: 0.02 });
          say({ id: 'c', start: 0, end: 0.1 });
        }
        if (frames.length === 32) say({ id: 'c', start: 0, end: 0.1, translations: [] });
        if (frames.length === 34) say({ id: 'd', start: 100, end: 200 });
        if (frames.length === 36) socket.close(1012);
      });
    });
    const generator = await generatorFor(t, fleetOf(server.url, path), sanitized);
    generator.setStreams(1);
    const all = await snapshotsUntil(generator, (seen) => totalOf(seen, 'segmentsReceived') >= 10);
    await generator.stop();
    const lags = all.map(({ segmentLag }) => segmentLag);
    t.equal(
      lags.reduce((sum, counted) => sum + countOf(counted), 0),
      3,
      'the first connection, one a message, without what came again',
    );
    const values = lags.flatMap((counted) => counted.map(([microseconds]) => microseconds / 1000));
    const [ahead, late, later] = values.sort((a, b) => a - b) as [number, number, number];
    t.equal(ahead, 0, 'what was not due is not late');
    // The delay counts from the time when a packet is due, which is before it arrives. The histogram is accurate to 0.1 %.
    t.ok(late > 0.99 * since, `${late} of ${since}: from the due time on`);
    const between = (later - late) / (5 * 10);
    t.ok(between > 0.8 && between < 1.2, `five packets earlier, later by ${between} of their length`);
    t.ok(errorsOf(all, 'close_1012') >= 1);
    t.ok(totalOf(all, 'reconnects') >= 1);
  },
);

t.test('if a server stops reading, packets wait, the oldest are lost, and the order stays', async (t) => {
  const large = numberedPackets(50, 60_000);
  const path = await packetFile(t, large);
  let reading = false;
  const received: Buffer[] = [];
  const server = await rawServer(t, (socket, request) => {
    socket.write(accepted(request));
    if (!reading) socket.pause();
    socket.on('data', (data: Buffer) => received.push(data));
    if (!reading) socket.pause();
  });
  const generator = await generatorFor(t, { ...fleetOf(server.url, path), queueMs: 200 }, sanitized);
  generator.setStreams(1);
  const full = await snapshotsUntil(generator, (seen) => errorsOf(seen, 'frames_lost') >= 20);
  const stuck = await snapshotsUntil(generator, (seen) => errorsOf(seen, 'frames_lost') >= 20);
  t.equal(totalOf(stuck, 'framesSent'), 0, 'nothing leaves');
  reading = true;
  for (const socket of server.sockets) socket.resume();
  const freed = await snapshotsUntil(generator, (seen) => totalOf(seen, 'framesSent') >= 30);
  const last = await generator.stop();
  await Promise.all(server.sockets.map((socket) => socket.readableEnded || once(socket, 'end')));
  const total = [...full, ...stuck, ...freed, last];
  t.ok(totalOf(total, 'framesBlocked') > 0);
  const frames = clientFrames(Buffer.concat(received));
  const numbers = frames.filter(({ opcode }) => opcode === 2).map(({ payload }) => payload.readUInt16BE());
  t.equal(numbers.length, totalOf(total, 'framesSent'));
  t.ok(
    frames.every(({ opcode, payload }) => opcode !== 2 || payload.equals(large[payload.readUInt16BE()]!)),
    'whole',
  );
  const steps = numbers.slice(1).map((number, i) => (number - numbers[i]! + 50) % 50);
  t.equal(steps.filter((step) => step !== 1).length, 1, 'one gap');
});
