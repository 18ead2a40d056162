/** Tests image chunks and links of an attacker against the whole product, with a hostile language model. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import WebSocket from 'ws';
import { startModelServer } from '../support/servers/model-server.js';
import { metric, serviceOnTestDatabase, type User } from '../support/service.js';
import { until } from '../support/until.js';

const gif = Buffer.from('GIF89a\x01\0\x01\0', 'latin1');
const page = '<script>alert(document.domain)</script>';

type Event = Record<string, unknown> & { readonly type?: string };
interface Photo {
  readonly id: string;
  readonly url: string;
  readonly content_type: string;
  readonly description: string | null;
}

t.test('hostile images', { timeout: 240_000 }, async (t) => {
  const model = await startModelServer(t);
  model.answer = ({ step }) =>
    step === 'photo' ? { description: `${page}\u202e\u0007 uid=bob` } : 'nothing of the schema';
  const service = await serviceOnTestDatabase(t, {
    COCHLEA_STT: 'discard',
    SENTENCE_MODEL: 'none',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'tiny',
    LLM_STEP_MODELS: 'photo=seeing',
  });
  const open = async ({ uid, token }: User) => {
    const url = `${service.base.replace('http', 'ws')}/v4/listen?language=en&sample_rate=16000&codec=pcm16&uid=${uid}`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    t.teardown(() => socket.terminate());
    const events: Event[] = [];
    let code: number | undefined;
    socket.on('message', (data) => {
      if (String(data).startsWith('{')) events.push(JSON.parse(String(data)) as Event);
    });
    socket.on('close', (closed) => {
      code = closed;
    });
    const one = (find: (event: Event) => boolean): Promise<Event> => until(async () => events.find(find));
    await one(({ status }) => status === 'ready');
    return {
      socket,
      one,
      events,
      code: () => until(async () => code),
      chunk: (message: object) => socket.send(JSON.stringify({ type: 'image_chunk', ...message })),
    };
  };
  const [ann, bob, eve] = await Promise.all(['ann', 'bob', 'eve'].map((uid) => service.user(uid)));
  const own = await open(ann!);
  const { conversation_id: id } = await own.one(({ type }) => type === 'conversation_session');
  const photosOf = async (user: User): Promise<{ status: number; photos: Photo[] }> => {
    const answer = await fetch(`${service.base}/v1/dev/user/conversations/${id}/photos`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    return { status: answer.status, photos: answer.ok ? ((await answer.json()) as Photo[]) : [] };
  };

  t.test('an invalid image chunk ends only its own stream', async (t) => {
    const good = { id: 'a', index: 0, total: 1, data: 'AAAA' };
    const wrong = [
      { ...good, id: '' },
      { ...good, id: 7 },
      { ...good, index: -1 },
      { ...good, index: 1 },
      { ...good, index: 1e300 },
      { ...good, index: '0' },
      { ...good, total: 257 },
      { ...good, total: 2 ** 53 },
      { ...good, data: '' },
      { ...good, data: [65] },
    ];
    for (const message of wrong) {
      // Each attempt uses a new user, because a user whose stream was closed for a violation cannot open a stream for a
      // while.
      const stream = await open(await service.user(`eve ${randomUUID()}`));
      stream.chunk(message);
      t.equal(await stream.code(), 1008, JSON.stringify(message).slice(0, 60));
    }
  });

  t.test('unfinished images and repeated chunks take little memory', async (t) => {
    const stream = await open(eve!);
    for (let image = 0; image < 200; image++)
      stream.chunk({ id: `never ${image}`, index: 0, total: 256, data: 'AAAA' });
    for (let copy = 0; copy < 200; copy++)
      stream.chunk({ id: 'again', index: 5, total: 256, data: 'A'.repeat(1000) });
    await until(async () => ((await metric(service, 'images_forgotten_total')) ?? 0) >= 150);
    await until(async () => ((await metric(service, 'images_held_bytes')) ?? 1e9) < 2000);
    stream.socket.terminate();
    await until(async () => (await metric(service, 'images_held_bytes')) === 0);
    t.equal(
      await metric(service, 'images_refused_total'),
      0,
      'no image is refused, because none is complete',
    );
  });

  t.test("the model's description of an image is plain text for its user only", async (t) => {
    own.chunk({
      id: 'polyglot',
      index: 0,
      total: 1,
      data: Buffer.concat([gif, Buffer.from(page)]).toString('base64'),
    });
    const told = await own.one(({ type }) => type === 'photo_described');
    t.equal(told.description, 'alert(document.domain)   uid=bob', 'without HTML tags');
    const [asked] = model.requests.filter(({ step }) => step === 'photo');
    const sent = JSON.stringify(asked!.body);
    for (const secret of ['ann', 'bob', String(id), service.base])
      t.notOk(sent.includes(`"${secret}"`), secret);
    t.match(
      asked!.body.messages[1].content[1].image_url.url,
      /^data:image\/gif;base64,/,
      'the image itself, not an address',
    );
    t.equal((await photosOf(bob!)).status, 404);
  });

  t.test('a file that is both an image and an HTML page is served as an image', async (t) => {
    const { photos } = await photosOf(ann!);
    t.match(photos, [{ content_type: 'image/gif' }]);
    const link = new URL(photos[0]!.url);
    const shown = await fetch(service.base + link.pathname + link.search);
    t.equal(shown.headers.get('content-type'), 'image/gif');
    t.equal(shown.headers.get('x-content-type-options'), 'nosniff');
    t.match(shown.headers.get('content-security-policy'), /default-src 'none'.*sandbox/);
    const others = [randomUUID(), '../health', '%2e%2e%2fhealth', `${photos[0]!.id}%00`];
    for (const other of others) {
      const answer = await fetch(`${service.base}/v1/photos/${other}${link.search}`);
      t.ok(answer.status >= 400 && answer.status < 500, `${other}: ${answer.status}`);
    }
  });

  t.test('the first stream lost nothing', async (t) => {
    t.equal(own.socket.readyState, WebSocket.OPEN);
    t.notOk(own.events.some(({ status }) => status === 'message_refused'));
  });
});
