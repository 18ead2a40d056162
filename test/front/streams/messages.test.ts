import { connect as connectTcp } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import { until } from '../../support/until.js';
import { startRig } from '../support.js';

type Message = { readonly binary: Uint8Array } | { readonly text: string };

const wellFormed = (text: string): string => Buffer.from(text).toString();
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((binary) => ({ binary })),
  fc.uint8Array({ maxLength: 4 }).map((binary) => ({ binary })),
  fc.string({ unit: 'binary' }).map((text) => ({ text: wellFormed(text) })),
  fc.json().map((text) => ({ text: wellFormed(text) })),
  fc
    .constantFrom('ping', '', 'null', '{}', '[', '{"type":"authority"}', '['.repeat(5000))
    .map((text) => ({ text })),
);

t.test('passes messages of every kind to the shard in order, like a model of the front', async (t) => {
  const { connect, shards, front, metrics } = await startRig(t, { settings: { maxOpensPerUser: 10_000 } });
  const [shard] = shards;
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 40 }), async (messages) => {
      const from = shard!.seen.length;
      const before = metrics.get('keepalives_received_total');
      const client = await connect('codec=pcm16&sample_rate=16000').open();
      for (const one of messages) client.socket.send('binary' in one ? one.binary : one.text);
      client.socket.close(1000);
      const { slot, bytes } = await shard!.record(({ kind }) => kind === RecordKind.open, from);
      await shard!.record(({ kind }) => kind === RecordKind.close, from);
      const { generation } = JSON.parse(bytes.toString()) as { generation: number };
      shard!.say({ kind: 'released', slot, generation });
      const expected = messages.flatMap((one): [number, string][] => {
        // The shard, not the front, checks whether a text is JSON.
        if ('text' in one) return [[RecordKind.text, Buffer.from(one.text).toString('hex')]];
        return one.binary.length > 2 ? [[RecordKind.audio, Buffer.from(one.binary).toString('hex')]] : [];
      });
      const got = shard!.seen
        .slice(from + 1, -1)
        .map((record) => [record.kind, record.bytes.toString('hex')]);
      t.same(got, expected);
      const alive = messages.filter((one) => 'binary' in one && one.binary.length <= 2).length;
      t.equal(metrics.get('keepalives_received_total') - before, alive);
      t.equal(front.activeStreams(), 0);
    }),
    { numRuns: 60 },
  );
});

t.test('hundreds of consecutive streams leave every slot free', async (t) => {
  const { connect, shards, front, metrics } = await startRig(t, {
    slotsPerShard: 2,
    settings: { maxStreamsPerUser: 2, maxOpensPerUser: 10_000 },
  });
  const [shard] = shards;
  const cycles = 300;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const from = shard!.seen.length;
    const client = await connect().open();
    const { slot, request } = await shard!.opened(from);
    const address = { slot, generation: request.generation };
    if (cycle % 3 === 0) {
      // The shard closes and releases the slot at once. The socket's close record must not reach the slot's next stream.
      shard!.say(
        { kind: 'close', violation: false, ...address, code: 1003, reason: 'no' },
        { kind: 'released', ...address },
      );
    } else {
      // The close record of the previous stream may come after `from`, but not after the open.
      const begun = shard!.seen.length;
      client.socket.close(1000);
      await shard!.record(({ kind }) => kind === RecordKind.close, begun);
      shard!.say({ kind: 'released', ...address });
    }
    await client.outcome;
  }
  await until(() => front.activeStreams() === 0);
  t.equal(metrics.get('connections_accepted_total'), cycles);
  t.equal(metrics.get('connections_closed_total'), cycles);
  t.equal(metrics.get('connections_refused_total'), 0);
  const opens = shard!.seen.filter(({ kind }) => kind === RecordKind.open).length;
  const closes = shard!.seen.filter(({ kind }) => kind === RecordKind.close).length;
  t.equal(opens, cycles);
  t.equal(closes, cycles, 'one close record for every open');
});

t.test('garbage instead of HTTP does not affect streams', async (t) => {
  const { connect, origin, shards } = await startRig(t);
  const client = await connect().open();
  const [host, port] = origin.split(':');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const socket = connectTcp(Number(port), host);
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      socket.end(bytes);
      await closed;
    }),
    { numRuns: 100 },
  );
  client.socket.send('{"still":"here"}');
  t.equal(
    (await shards[0]!.record(({ kind }) => kind === RecordKind.text)).bytes.toString(),
    '{"still":"here"}',
  );
});
