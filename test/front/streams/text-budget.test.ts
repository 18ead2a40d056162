/** Tests the limits on the texts that a user sends. */
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { until } from '../../support/until.js';
import { type Client, startRig } from '../support.js';

const defaults = loadSettings({}).values;

const chunks = 128;
const sendImage = ({ socket }: Client): void => {
  for (let index = 0; index < chunks; index++) {
    const chunk = { type: 'image_chunk', id: 'a', index, total: chunks, data: 'x'.repeat(32_000) };
    socket.send(JSON.stringify(chunk));
  }
};

t.test('accepts an image of four megabytes in chunks at once', async (t) => {
  const { connect, shards } = await startRig(t);
  const client = await connect().open();
  sendImage(client);
  client.socket.close(1000);
  await shards[0]!.record(({ kind }) => kind === RecordKind.close);
  t.equal(shards[0]!.seen.filter(({ kind }) => kind === RecordKind.text).length, chunks);
  t.match(await client.outcome, { code: 1000 });
});

t.test('queues all that a user may send at once while its shard is blocked', async (t) => {
  // A listener may pass on megabytes in one turn of its loop. The shard of this test reads nothing meanwhile.
  const { connect, shards, metrics } = await startRig(t);
  const client = await connect().open();
  await shards[0]!.opened();
  shards[0]!.reading = false;
  sendImage(client);
  // Short texts and waiting records are charged more than their bytes, so the texts have 512 bytes.
  const text = JSON.stringify('x'.repeat(510));
  const texts = Math.floor(defaults.textBurst / text.length);
  for (let count = 0; count < texts; count++) client.socket.send(text);
  await until(() => metrics.get('texts_received_total') >= chunks + texts);
  client.socket.close(1000);
  t.match(await client.outcome, { code: 1000 });
  shards[0]!.reading = true;
  await shards[0]!.record(({ kind }) => kind === RecordKind.close);
  t.equal(shards[0]!.seen.filter(({ kind }) => kind === RecordKind.text).length, chunks + texts);
});

for (const { title, text } of [
  { title: 'long', text: JSON.stringify('x'.repeat(8000)) },
  { title: 'empty', text: '' },
]) {
  t.test(`closes a flood of ${title} texts with its code`, async (t) => {
    const { connect, shards } = await startRig(t, { settings: { textBurst: 65_536, textRate: 1024 } });
    const client = await connect().open();
    for (let count = 0; count < 400; count++) client.socket.send(text);
    t.match(await client.outcome, { code: 1008, reason: 'text_flood: more text than 1024 bytes a second' });
    t.ok(shards[0]!.seen.filter(({ kind }) => kind === RecordKind.text).length <= 129);
  });
}

t.test('the sockets of a user share a budget, and a reconnect does not renew it', async (t) => {
  const { connect } = await startRig(t, { settings: { textBurst: 65_536, textRate: 1024 } });
  const text = 'x'.repeat(30_000);
  const one = await connect().open();
  one.socket.send(text);
  const two = await connect().open();
  two.socket.send(text);
  const three = await connect().open();
  three.socket.send(text);
  t.match(await three.outcome, { code: 1008, reason: /^text_flood/ });
  const again = await connect().open();
  again.socket.send(text);
  t.match(await again.outcome, { code: 1008, reason: /^text_flood/ });
  const other = await connect('uid=bob', { token: 'token-bob' }).open();
  other.socket.send(text);
  other.socket.close(1000);
  t.match(await other.outcome, { code: 1000 }, 'another user has its own');
});

t.test('texts that claim to be images have their own budget', async (t) => {
  const { connect } = await startRig(t, {
    settings: { textBurst: 8192, imageBurst: 65_536, textRate: 1024 },
  });
  const data = 'x'.repeat(8000);
  const chunk = { index: 0, total: 9, id: 'a' };
  for (const [name, image] of [
    ['its type first', { type: 'image_chunk', ...chunk, data }],
    ['its type last', { ...chunk, data, type: 'image_chunk' }],
  ] as const) {
    const client = await connect(`uid=u${name.length}`, { token: `token-u${name.length}` }).open();
    for (let count = 0; count < 7; count++) client.socket.send(JSON.stringify(image));
    client.socket.send('x'.repeat(8000));
    client.socket.close(1000);
    t.match(await client.outcome, { code: 1000 }, name);
  }
  const client = await connect('uid=bob', { token: 'token-bob' }).open();
  for (let count = 0; count < 2; count++) client.socket.send(JSON.stringify({ text: data, type: 'image' }));
  t.match(await client.outcome, { code: 1008, reason: /^text_flood/ });
});

t.test('a socket that has not authenticated has the same budget', async (t) => {
  const { connect } = await startRig(t, { settings: { textBurst: 65_536, textRate: 1024 } });
  const client = await connect('', { route: '/v4/web/listen', token: '' }).open();
  // The check of the first message lasts until the flood has arrived. All other messages are ignored and counted.
  for (let count = 0; count < 400; count++)
    client.socket.send(JSON.stringify({ type: 'auth', token: 'token-ann' }));
  t.match(await client.outcome, { code: 1008, reason: /^text_flood/ });
});
