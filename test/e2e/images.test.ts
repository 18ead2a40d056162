/** An image on a real socket of the complete product: from its chunks to a link that opens it, and its deletion. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import WebSocket from 'ws';
import { startModelServer } from '../support/servers/model-server.js';
import { serviceOnTestDatabase, type User } from '../support/service.js';
import { until } from '../support/until.js';

const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1'),
  Buffer.alloc(60_000, 7),
]);
const base64 = png.toString('base64');

type Event = Record<string, unknown> & { readonly type?: string };

/** Opens a stream that records its messages. */
const open = async (base: string, { uid, token }: User, query = '') => {
  const url = `${base.replace('http', 'ws')}/v4/listen?language=en&sample_rate=16000&codec=pcm16&uid=${uid}${query}`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  const events: Event[] = [];
  let closed: { code: number; reason: string } | undefined;
  socket.on('message', (data) => {
    const text = String(data);
    if (text.startsWith('{')) events.push(JSON.parse(text) as Event);
  });
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) };
  });
  const one = (find: (event: Event) => boolean): Promise<Event> => until(async () => events.find(find));
  await one(({ status }) => status === 'ready');
  return {
    events,
    one,
    send: (message: object) => socket.send(JSON.stringify({ type: 'image_chunk', ...message })),
    closed: () => until(async () => closed),
    close: () => socket.close(1000),
  };
};

t.test('images of a stream are stored, described and deleted', { timeout: 240_000 }, async (t) => {
  const key = 'ab'.repeat(32);
  const model = await startModelServer(t);
  model.answer = ({ step }) => (step === 'photo' ? { description: 'A garden.' } : 'nothing of the schema');
  const service = await serviceOnTestDatabase(t, {
    RETAINED_AUDIO_KEY: key,
    COCHLEA_STT: 'discard',
    SWEEP_INTERVAL: '1000',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'tiny',
    LLM_STEP_MODELS: 'photo=seeing',
  });
  const folder = join(service.dataDir, 'photos');
  // The folder also has its id, in the file `place`.
  const files = async () => (await readdir(folder).catch(() => [])).filter((name) => name !== 'place');
  const ann = await service.user('ann');
  const bob = await service.user('bob');
  const get = (path: string, { token }: User, method = 'GET') =>
    fetch(service.base + path, { method, headers: { authorization: `Bearer ${token}` } });

  const stream = await open(service.base, ann, '&source=desktop');
  const { conversation_id: id } = await stream.one(({ type }) => type === 'conversation_session');
  const path = `/v1/dev/user/conversations/${id}/photos`;

  t.test('images are stored, announced, and opened by links', async (t) => {
    const half = Math.ceil(base64.length / 2);
    stream.send({ id: 'first', index: 1, total: 2, data: base64.slice(half) });
    stream.send({ id: 'first', index: 0, total: 2, data: base64.slice(0, half) });
    const told = await stream.one(({ type }) => type === 'photo_processing');
    t.equal(told.temp_id, 'first');
    const described = await stream.one(({ type }) => type === 'photo_described');
    t.match(described, { photo_id: told.photo_id, description: 'A garden.', discarded: false });
    const answer = await get(path, ann);
    t.equal(answer.status, 200);
    const [photo, ...others] = (await answer.json()) as {
      id: string;
      url: string;
      content_type: string;
      bytes: number;
    }[];
    t.same(others, []);
    t.match(photo, {
      id: told.photo_id,
      content_type: 'image/png',
      bytes: png.length,
      description: 'A garden.',
    });

    const link = new URL(photo!.url);
    const opened = await fetch(service.base + link.pathname + link.search);
    t.equal(opened.status, 200);
    t.equal(opened.headers.get('content-type'), 'image/png');
    t.equal(opened.headers.get('x-content-type-options'), 'nosniff');
    t.same(Buffer.from(await opened.arrayBuffer()), png);
    const [name] = await files();
    t.notOk(
      (await readFile(join(folder, name!))).includes(png.subarray(0, 16)),
      'it is encrypted on the disk',
    );

    const later = `?expires=${Number(link.searchParams.get('expires')) + 1}&signature=${link.searchParams.get('signature')}`;
    for (const search of ['', later, `?expires=1&signature=${'A'.repeat(43)}`, '?expires=1&signature[]=x'])
      t.equal((await fetch(service.base + link.pathname + search)).status, 403, search);
    t.equal((await get(path, bob)).status, 404, "another user's conversation");
    t.equal((await fetch(service.base + path)).status, 401);
  });

  t.test('data that is not an image is refused, and a malformed chunk closes 1008', async (t) => {
    stream.send({ id: 'text', index: 0, total: 1, data: Buffer.from('<svg/>').toString('base64') });
    const refused = await stream.one(({ status }) => status === 'message_refused');
    t.match(refused, { message_type: 'image_chunk', reason: 'image_invalid', id: 'text' });
    const other = await open(service.base, bob);
    other.send({ id: 'a', index: 0, total: 2, data: 'AAAA' });
    other.send({ id: 'a', index: 1, total: 3, data: 'AAAA' });
    t.match(await other.closed(), { code: 1008, reason: /image_chunk/ });
  });

  t.test('a conversation with images alone is kept, and its images are deleted with it', async (t) => {
    stream.close();
    const conversation = `/v1/dev/user/conversations/${id}`;
    const developer = { uid: 'ann', token: await service.developerKey('ann') };
    const finished = await until(async () => {
      const read = (await (await get(conversation, developer)).json()) as Event;
      return read.status === 'completed' ? read : undefined;
    });
    t.match(finished, { discarded: false, structured: { title: 'One image', overview: 'A garden.' } });
    t.equal((await files()).length, 1);
    t.equal((await get(conversation, developer, 'DELETE')).status, 200);
    t.equal((await get(path, ann)).status, 404);
    await until(async () => ((await files()).length === 0 ? true : undefined));
  });

  t.test('images are deleted with the account', async (t) => {
    const again = await open(service.base, bob);
    again.send({ id: 'last', index: 0, total: 1, data: base64 });
    await again.one(({ type }) => type === 'photo_processing');
    t.equal((await files()).length, 1);
    const deleted = await fetch(`${service.base}/v1/users/deletion`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ confirm: 'delete my account' }),
    });
    t.equal(deleted.status, 200);
    await until(async () => ((await files()).length === 0 ? true : undefined));
  });
});
