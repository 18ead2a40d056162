import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { WebSocket } from 'ws';
import { maxUnread } from '../../../src/front/streams/connection.js';
import type { VerifiedToken } from '../../../src/identity/token-verifier.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { RawConnection } from '../../attack/support/raw-connection.js';
import { until } from '../../support/until.js';
import { close } from '../conformance/frames.js';
import { handshake } from '../conformance/request-cases.js';
import { fakeVerifier, listenerCaughtUp, startRig } from '../support.js';

t.test(
  'sends pings at the interval; silence closes with 1001, and any message keeps the socket open',
  async (t) => {
    const { connect, shards } = await startRig(t, {
      settings: { heartbeatInterval: 100, idleTimeout: 3000 },
    });
    const silent = await connect().open();
    const alive = await connect().open();
    const keeping = setInterval(() => alive.socket.send(Buffer.alloc(2)), 50);
    t.teardown(() => clearInterval(keeping));
    t.match(await silent.outcome, { code: 1001, reason: 'idle' });
    t.ok(silent.received.length >= 2);
    t.ok(silent.received.every((text) => text === 'ping'));
    t.equal(alive.socket.readyState, WebSocket.OPEN);
    const notice = await shards[0]!.record(({ kind }) => kind === RecordKind.close);
    t.equal(notice.bytes.toString(), '{"code":1001}');
  },
);

t.test('a close frame of the client closes the stream, even if the connection stays open', async (t) => {
  const rig = await startRig(t);
  const client = await RawConnection.open(rig.front.port);
  t.teardown(async () => client.destroy());
  client.send(handshake());
  await rig.shards[0]!.opened();
  client.send(close(1000));
  // A close frame: FIN, opcode close, two bytes, code 1000.
  t.ok(await client.until(() => client.received.includes(Buffer.from([0x88, 2, 0x03, 0xe8]))), 'answered');
  await listenerCaughtUp(rig);
  t.equal(rig.front.activeStreams(), 0);
  const notice = await rig.shards[0]!.record(({ kind }) => kind === RecordKind.close);
  t.equal(notice.bytes.toString(), '{"code":1000}');
});

t.test('tells the shard whether a client closed to stop recording', async (t) => {
  const rig = await startRig(t);
  for (const [code, reason, expected] of [
    [1000, 'stop', '{"code":1000,"stops":true}'],
    [1000, 'stopped', '{"code":1000}'],
    [1000, '', '{"code":1000}'],
    [4000, 'stop', '{"code":4000,"stops":true}'],
  ] as const) {
    const client = await RawConnection.open(rig.front.port);
    t.teardown(async () => client.destroy());
    const from = rig.shards[0]!.seen.length;
    client.send(handshake());
    await rig.shards[0]!.opened(from);
    client.send(close(code, reason));
    const notice = await rig.shards[0]!.record(({ kind }) => kind === RecordKind.close, from);
    t.equal(notice.bytes.toString(), expected, `${code} ${reason}`);
  }
});

t.test('a shutdown notifies streams, refuses new ones, drains and closes, in this order', async (t) => {
  let ready = true;
  const { front, connect, shards, origin, metrics } = await startRig(t, {
    shardCount: 2,
    ready: () => ready,
  });
  const health = async (): Promise<number> => (await fetch(`http://${origin}/engine/health/ready`)).status;
  t.equal(await health(), 200);
  ready = false;
  t.equal(await health(), 503);
  ready = true;
  const client = await connect().open();
  const shard = await Promise.race(shards.map((one) => one.opened().then(() => one)));
  const { slot } = await shard.opened();
  front.stopAccepting();
  front.stopAccepting();
  const status = await client.message((text) => text.includes('service_status'));
  t.match(JSON.parse(status), { type: 'service_status', status: 'draining', status_text: String });
  t.equal(await health(), 503);
  t.equal((await fetch(`http://${origin}/engine/health/live`)).status, 200);
  t.match(await connect().outcome, { status: 503, body: /shutting down/ });
  const order: string[] = [];
  const drained = front.drain().then(() => order.push('drained'));
  for (const one of shards) await one.record(({ kind }) => kind === RecordKind.drain);
  client.socket.send(Buffer.alloc(40));
  shard.say({ kind: 'send', slot, generation: 0, text: '"last words"' });
  await client.message((text) => text === '"last words"');
  await until(() => metrics.get('frames_after_drain_total') === 1, 'the frame is counted for what it is');
  t.equal(metrics.get('ring_frames_dropped_total'), 0, 'no ring was full');
  t.same(order, [], 'not before every shard has reported');
  for (const one of shards) one.say({ kind: 'drained' });
  await drained;
  t.equal(client.socket.readyState, WebSocket.OPEN, 'sockets close after the drain');
  await front.close();
  t.match(await client.outcome, { code: 1001, reason: 'shutdown' });
  t.equal(shard.seen.at(-1)!.kind, RecordKind.drain, 'no record follows a drain');
  await t.rejects(fetch(`http://${origin}/engine/health/live`), 'the listener is closed');
  await front.close();
});

t.test('closes the sockets of a dead shard with 1012, and new sockets use live shards', async (t) => {
  const { front, connect, shards, origin } = await startRig(t, { shardCount: 2 });
  const client = await connect().open();
  const first = await Promise.race(shards.map((one) => one.opened().then(() => one)));
  const twin = await connect().open();
  t.ok(await first.opened(1), 'streams of one conversation meet on one shard');
  first.kill();
  t.match(await client.outcome, { code: 1012, reason: 'shard_lost' });
  t.match(await twin.outcome, { code: 1012 });
  const second = shards.find((one) => one !== first)!;
  await connect().open();
  t.equal((await second.opened()).request.uid, 'ann');
  second.kill();
  await until(
    async () => (await fetch(`http://${origin}/engine/health/ready`)).status === 503,
    'its loss is seen',
  );
  t.match(await connect().outcome, { status: 503 }, 'no shard is left');
  await front.drain();
});

t.test('closes a client that does not read', async (t) => {
  const { connect, shards, metrics, front } = await startRig(t);
  const client = await connect().open();
  const { slot } = await shards[0]!.opened();
  client.socket.pause();
  const text = JSON.stringify('x'.repeat(maxUnread / 4));
  // Sends enough to fill the sender's kernel buffer and the receiver's window.
  await until(() => {
    for (let count = 0; count < 8; count++) shards[0]!.say({ kind: 'send', slot, generation: 0, text });
    return front.activeStreams() === 0;
  }, 'it is cut off');
  const notice = await shards[0]!.record(({ kind }) => kind === RecordKind.close);
  t.equal(notice.bytes.toString(), '{"code":1008}');
  // The close frame follows the unread data.
  client.socket.resume();
  t.match(await client.outcome, { code: 1008, reason: /^slow_reader/ });
  t.ok(metrics.get('messages_dropped_total') > 0);
  t.ok(metrics.get('messages_sent_total') > 0);
});

t.test('refuses a taken port and names the setting', async (t) => {
  const holder = createServer();
  holder.listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const { port } = holder.address() as { port: number };
  await t.rejects(startRig(t, { settings: { port } }), {
    code: 'port_taken',
    details: { port, host: '127.0.0.1', setting: 'PORT' },
  });
  const { front } = await startRig(t);
  await t.rejects(
    startRig(t, { settings: { port: front.port } }),
    { code: 'port_taken' },
    'also from another engine',
  );
});

t.test('reports a foreign host address differently from a taken port', async (t) => {
  // An address reserved for documentation (RFC 5737), which no machine has.
  await t.rejects(startRig(t, { settings: { host: '192.0.2.1' } }), {
    code: 'setting_invalid',
    message: /^Setting HOST is not valid: 192\.0\.2\.1 is not an address of this machine/,
  });
});

t.test('a socket that disappears without a close frame frees its stream', async (t) => {
  const { connect, shards, front } = await startRig(t);
  const client = await connect().open();
  await shards[0]!.opened();
  client.socket.terminate();
  const notice = await shards[0]!.record(({ kind }) => kind === RecordKind.close);
  t.equal(notice.bytes.toString(), '{"code":1006}');
  t.equal(front.activeStreams(), 0);
});

t.test('an upgrade aborted during the token check leaves nothing behind', async (t) => {
  const pending: (() => void)[] = [];
  const verifier = {
    ...fakeVerifier,
    verify: () =>
      new Promise<VerifiedToken>((resolve) => {
        pending.push(() => resolve({ uid: 'ann', issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY }));
      }),
  };
  const rig = await startRig(t, { verifier, slotsPerShard: 1 });
  const { connect, front, shards } = rig;
  const given = connect();
  await until(() => pending.length === 1);
  given.socket.terminate();
  await given.outcome;
  await listenerCaughtUp(rig);
  pending[0]!();
  await listenerCaughtUp(rig);
  t.equal(front.activeStreams(), 0);
  const next = connect();
  await until(() => pending.length === 2);
  pending[1]!();
  await next.open();
  t.equal((await shards[0]!.opened()).slot, 0, 'the only slot was free');
});
