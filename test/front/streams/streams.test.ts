import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import { startRig } from '../support.js';

t.test('passes the messages of a socket to its shard in order', async (t) => {
  const { connect, shards, metrics, front } = await startRig(t);
  const [shard] = shards;
  const client = await connect(
    'codec=opus&sample_rate=16000&language=auto&source=omi&conversation_timeout=1&keywords=Okafor,Ada%20L',
    {
      headers: { 'X-App-Platform': 'iOS', 'X-Device-Id-Hash': 'ABCD1234' },
    },
  ).open();
  t.equal(await client.message((text) => text === 'ping'), 'ping', 'the first ping is immediate');
  client.socket.send(Buffer.from([1, 2, 3]));
  client.socket.send('{"type":"keywords","words":["Okafor"]}');
  client.socket.send(Buffer.from([4, 5, 6, 7]));
  client.socket.close(4321);
  await shard!.record(({ kind }) => kind === RecordKind.close);
  const { request, slot } = await shard!.opened();
  t.match(request, {
    generation: 0,
    uid: 'ann',
    language: 'multi',
    format: { codec: 'opus', sampleRate: 16_000, channels: 1 },
    conversationTimeout: 2,
    source: 'svc',
    keywords: ['Okafor', 'Ada L'],
    deviceId: 'ios_abcd1234',
    clientPlatform: 'ios',
    customStt: false,
    includeSpeechProfile: true,
    sttService: null,
  });
  t.same(
    shard!.seen
      .slice(1)
      .map(({ kind, bytes }) => [kind, kind === RecordKind.audio ? [...bytes] : bytes.toString()]),
    [
      [RecordKind.audio, [1, 2, 3]],
      [RecordKind.text, '{"type":"keywords","words":["Okafor"]}'],
      [RecordKind.audio, [4, 5, 6, 7]],
      [RecordKind.close, '{"code":4321}'],
    ],
  );
  t.ok(shard!.seen.every((record) => record.slot === slot));
  t.equal(front.activeStreams(), 0);
  t.equal(metrics.get('frames_received_total'), 2);
  t.equal(metrics.get('bytes_received_total'), 7);
});

t.test('passes small messages to the shard after the first audio of an Opus stream', async (t) => {
  for (const [codec, expected] of [
    ['opus', [[72, 1, 2], [72], [72, 0]]],
    ['opus_fs320', [[72, 1, 2], [72], [72, 0]]],
    ['pcm16', [[72, 1, 2]]],
  ] as const) {
    const { connect, shards } = await startRig(t);
    const client = await connect(`codec=${codec}&sample_rate=16000`).open();
    client.socket.send(Buffer.from([72]));
    for (const bytes of [[72, 1, 2], [72], [], [72, 0]]) client.socket.send(Buffer.from(bytes));
    client.socket.close(1000);
    await shards[0]!.record(({ kind }) => kind === RecordKind.close);
    const audio = shards[0]!.seen.filter(({ kind }) => kind === RecordKind.audio);
    t.same(
      audio.map(({ bytes }) => [...bytes]),
      expected,
      codec,
    );
  }
});

t.test('ignores keep-alives and empty messages; the shard counts messages that are not JSON', async (t) => {
  const { connect, shards, metrics } = await startRig(t);
  const client = await connect().open();
  client.socket.send(Buffer.from([0x8a, 0]));
  client.socket.send(Buffer.alloc(1));
  client.socket.send(Buffer.alloc(0));
  client.socket.send('not json');
  client.socket.send('');
  client.socket.send('[1]');
  await shards[0]!.record(({ bytes }) => bytes.toString() === '[1]');
  const texts = shards[0]!.seen.filter(({ kind }) => kind === RecordKind.text);
  t.same(
    texts.map(({ bytes }) => bytes.toString()),
    ['not json', '', '[1]'],
  );
  t.equal(metrics.get('keepalives_received_total'), 3);
  t.equal(shards[0]!.seen.filter(({ kind }) => kind === RecordKind.audio).length, 0);
  t.equal(client.socket.readyState, client.socket.OPEN);
});

t.test('shortens the reason of a close between characters', async (t) => {
  const { connect, shards } = await startRig(t);
  const client = await connect().open();
  const { slot } = await shards[0]!.opened();
  const most = `${'x'.repeat(117)}\u{1f600}`;
  shards[0]!.say({
    kind: 'close',
    violation: false,
    slot,
    generation: 0,
    code: 1003,
    reason: `${most}\u{1f600}`,
  });
  t.match(await client.outcome, { code: 1003, reason: most });
});

t.test("sends a shard's messages to its socket, and reuses a slot only after its release", async (t) => {
  const { connect, shards, front } = await startRig(t, { slotsPerShard: 1 });
  const [shard] = shards;
  const client = await connect().open();
  const { slot } = await shard!.opened();
  shard!.say(
    { kind: 'send', slot, generation: 0, text: 'one' },
    { kind: 'send', slot, generation: 7, text: 'for a later owner' },
    { kind: 'send', slot, generation: 0, text: 'two' },
    { kind: 'close', violation: false, slot, generation: 0, code: 1003, reason: 'no such rate' },
  );
  t.match(await client.outcome, { code: 1003, reason: 'no such rate' });
  t.same(client.received, ['ping', 'one', 'two']);
  await shard!.record(({ kind }) => kind === RecordKind.close);
  t.equal(front.activeStreams(), 0);
  t.match(await connect().outcome, { status: 503 }, 'the slot is still the shard’s');
  shard!.say({ kind: 'released', slot, generation: 0 }, { kind: 'released', slot, generation: 0 });
  const before = shard!.seen.length;
  let next = connect();
  while ((await Promise.race([next.open(), next.outcome])) !== next) next = connect();
  const again = await shard!.opened(before);
  t.equal(again.slot, slot);
  t.equal(again.request.generation, 1);
  shard!.say(
    { kind: 'send', slot, generation: 0, text: 'stale' },
    { kind: 'send', slot, generation: 1, text: 'mine' },
  );
  await next.message((text) => text === 'mine');
  t.notOk(next.received.includes('stale'));
  t.match(await connect().outcome, { status: 503 }, 'released once only');
});
