/** The bus carries events, loses them while it is away, and comes back by itself. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, headers } from '@nats-io/transport-node';
import t from 'tap';
import { openBus } from '../../src/bus/open-bus.js';
import type { Bus } from '../../src/bus/subjects/bus.js';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { createLogger } from '../../src/log/logger.js';
import { keepingLogger } from '../stt/service/line.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, startNats } from '../support/servers/nats.js';
import { until } from '../support/until.js';

const log = createLogger('bus', 'silent');
const skip = withoutNats;

interface Opened {
  readonly bus: Bus;
  readonly heard: string[];
}

/** Opens the bus of a process that follows account changes. */
const open = async (
  t: { teardown(action: () => unknown): unknown },
  url: string,
  role: 'engine' | 'sidecar' = 'engine',
): Promise<Opened> => {
  const bus = (await openBus(busSettings({ NATS_URL: url }), { role, name: 'a' }, log))!;
  t.teardown(() => bus.close());
  const heard: string[] = [];
  bus.follow('account_changed', (id) => heard.push(id));
  return { bus, heard };
};

/**
 * Publishes an event again and again until a reader has it, because the first events may be sent before the reader has
 * subscribed.
 */
const publishUntilHeard = (from: Bus, heard: readonly string[], id: string): Promise<unknown> =>
  until(() => {
    from.publish('account_changed', id);
    return heard.includes(id);
  });

t.test('without NATS_URL there is no bus', async (t) => {
  t.equal(await openBus(busSettings({}), { role: 'engine', name: 'a' }, log), null);
});

t.test('events arrive at every follower of their channel', { skip }, async (t) => {
  const { url } = await startNats(t);
  const sidecar = await open(t, url, 'sidecar');
  const engines = [await open(t, url), await open(t, url)];
  for (const { heard } of engines) await publishUntilHeard(sidecar.bus, heard, 'ann');
  const completed: string[] = [];
  const end = engines[0]!.bus.follow('conversation_completed', (id) => completed.push(id), 'c-1');
  await until(() => {
    for (const id of ['c-2', 'c-1', 'no.subject', 'no subject', '*']) {
      sidecar.bus.publish('conversation_completed', id);
    }
    return completed.length > 0;
  });
  end();
  sidecar.bus.publish('conversation_completed', 'c-1');
  const before = completed.length;
  await publishUntilHeard(sidecar.bus, engines[0]!.heard, 'bob');
  t.same(new Set(completed), new Set(['c-1']), 'only the conversation that is waited for');
  t.equal(completed.length, before, 'nothing after the end of the subscription');
  t.notOk(sidecar.bus.carries('recording_uploaded'), 'other notifications stay with the database');
});

t.test('an event has any id of a user', { skip }, async (t) => {
  const { url } = await startNats(t);
  const [sidecar, { heard }] = [await open(t, url, 'sidecar'), await open(t, url)];
  // Ids have at most 128 characters.
  for (const uid of ['語'.repeat(128), '😀'.repeat(64), '{"id":1}', 'id:id:']) {
    await publishUntilHeard(sidecar.bus, heard, uid);
  }
});

t.test('an event that an engine sends in the place of a sidecar is not read', { skip }, async (t) => {
  const { url } = await startNats(t);
  const [sidecar, liar, reader] = [await open(t, url, 'sidecar'), await open(t, url), await open(t, url)];
  await publishUntilHeard(sidecar.bus, reader.heard, 'ann');
  liar.bus.publish('account_changed', 'mallory');
  await publishUntilHeard(sidecar.bus, reader.heard, 'bob');
  t.notOk(reader.heard.includes('mallory'));
});

t.test('messages that are no events are ignored', { skip }, async (t) => {
  const { url, port } = await startNats(t);
  const [sidecar, { heard }] = [await open(t, url, 'sidecar'), await open(t, url)];
  await publishUntilHeard(sidecar.bus, heard, 'ann');
  const stranger = await connect({ port });
  t.teardown(() => stranger.close());
  const subject = 'cochlea.sidecar.x.account_changed';
  const longest = 'y'.repeat(fixedLimits.busEvent.value - 3);
  stranger.publish(subject, 'without-mark');
  stranger.publish(subject, 'id:with-reply', { reply: 'somewhere' });
  const marked = headers();
  marked.set('Nats-Stream', 'any');
  stranger.publish(subject, 'id:with-headers', { headers: marked });
  stranger.publish(subject, `id:${longest}x`);
  stranger.publish(subject, `id:${longest}`);
  await until(() => heard.includes(longest));
  t.same([...new Set(heard)], ['ann', longest]);
});

t.test('a bus that starts later, and one that restarts, are found', { skip, timeout: 120_000 }, async (t) => {
  const server = await startNats(t);
  await server.kill();
  const sidecar = await open(t, server.url, 'sidecar');
  const { bus, heard } = await open(t, server.url);
  const changes: boolean[] = [];
  bus.onChange((connected) => changes.push(connected));
  t.notOk(bus.connected);
  bus.publish('conversation_finished', 'c-1');
  t.match(bus.traffic(), { dropped: 1 });
  await server.start();
  await until(() => bus.connected && sidecar.bus.connected);
  await publishUntilHeard(sidecar.bus, heard, 'ann');
  await server.kill();
  await until(() => !bus.connected);
  await server.start();
  await until(() => bus.connected && sidecar.bus.connected);
  await publishUntilHeard(sidecar.bus, heard, 'bob');
  t.same(changes, [true, false, true]);
});

t.test(
  'a server that does not read takes a bounded amount of memory',
  { skip, timeout: 120_000 },
  async (t) => {
    const server = await startNats(t);
    const { bus } = await open(t, server.url, 'sidecar');
    server.pause();
    const uid = 'u'.repeat(100);
    const events = (2 * fixedLimits.busBacklog.value) / uid.length;
    for (let event = 0; event < events; event++) bus.publish('account_changed', uid);
    const { dropped, outBytes } = bus.traffic();
    t.ok(dropped > events / 2, `${dropped} of ${events} are dropped`);
    t.ok(outBytes < 2 * fixedLimits.busBacklog.value, `${outBytes} bytes are kept`);
    server.resume();
    await until(() => {
      const before = bus.traffic().dropped;
      bus.publish('account_changed', uid);
      return bus.traffic().dropped === before;
    }, 'events are sent again');
  },
);

t.test('without TLS, no server can send a client to another address', async (t) => {
  const listen = async (answer: (socket: Socket) => void, port = 0) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      answer(socket);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const end = async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    };
    return { port: (server.address() as AddressInfo).port, sockets, end };
  };
  const other = await listen(() => undefined);
  const speak = (socket: Socket): void => {
    const info = { server_id: 'a', version: '2.15.1', headers: true, max_payload: 1e6, proto: 1 };
    socket.write(`INFO ${JSON.stringify({ ...info, connect_urls: [`127.0.0.1:${other.port}`] })}\r\n`);
    socket.on('data', (data) => String(data).includes('PING') && socket.write('PONG\r\n'));
  };
  const first = await listen(speak);
  const { bus } = await open(t, `nats://127.0.0.1:${first.port}`);
  t.ok(bus.connected);
  await first.end();
  await until(() => !bus.connected);
  await pause(1500);
  const again = await listen(speak, first.port);
  await until(() => bus.connected);
  t.equal(other.sockets.size, 0);
  await bus.close();
  await Promise.all([again.end(), other.end()]);
});

t.test('a bus that is away is logged once', async (t) => {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts++;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const logged: unknown[] = [];
  const { port } = server.address() as AddressInfo;
  const settings = busSettings({ NATS_URL: `nats://127.0.0.1:${port}` });
  const bus = (await openBus(settings, { role: 'engine', name: 'a' }, keepingLogger(logged)))!;
  await until(() => attempts >= 5);
  await bus.close();
  t.ok(logged.length <= 2, `${logged.length} lines for ${attempts} attempts`);
});

t.test('a server that stops answering during the start counts as away', async (t) => {
  const info = 'INFO {"server_id":"x","version":"2.12.0","proto":1,"headers":true,"max_payload":1048576}\r\n';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(info);
    // The answer to the first PING completes the client's connect. The next PING gets no answer.
    socket.once('data', () => socket.write('PONG\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const settings = busSettings({ NATS_URL: `nats://127.0.0.1:${port}` });
  const logged: unknown[] = [];
  const bus = (await openBus(settings, { role: 'engine', name: 'a' }, keepingLogger(logged)))!;
  t.teardown(() => bus.close());
  t.equal(bus.connected, false);
  t.match(logged, [[{ err: { code: 'bus_unreachable', message: /does not answer/ } }]]);
});
