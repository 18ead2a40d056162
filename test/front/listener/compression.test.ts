/** Tests that the engine declines compression. Frames of codecs do not get smaller by it, and each would cost time. */
import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import { startRig } from '../support.js';

t.test('a client that offers compression gets no extension, and its frames arrive', async (t) => {
  const { connect, shards } = await startRig(t);
  const [shard] = shards;
  const offer = 'permessage-deflate; client_max_window_bits; server_no_context_takeover';
  const client = connect('codec=opus&sample_rate=16000', { headers: { 'Sec-WebSocket-Extensions': offer } });
  const answer = new Promise<string | undefined>((resolve) => {
    client.socket.once('upgrade', ({ headers }) => resolve(headers['sec-websocket-extensions']));
  });
  await client.open();
  t.equal(await answer, undefined);
  t.equal(client.socket.extensions, '');
  const { slot } = await shard!.opened();
  // ws would compress a message of this size if compression were agreed.
  const frames = [Buffer.alloc(4096, 7), Buffer.from('a frame of audio')];
  for (const frame of frames) client.socket.send(frame);
  await shard!.record(({ kind, bytes }) => kind === RecordKind.audio && frames[1]!.equals(bytes));
  const audio = shard!.seen.filter((record) => record.kind === RecordKind.audio && record.slot === slot);
  t.same(
    audio.map(({ bytes }) => bytes),
    frames,
  );
  const text = JSON.stringify('x'.repeat(4096));
  shard!.say({ kind: 'send', slot, generation: 0, text });
  t.equal(
    await client.message((received) => received === text),
    text,
    'the client would fail on a compressed text',
  );
});
