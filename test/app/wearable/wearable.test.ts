import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenUrl } from '../../../src/app/wearable/open-socket.js';
import { Wearable } from '../../../src/app/wearable/wearable.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { until } from '../../support/until.js';

/** Starts a WebSocket server that behaves towards a client like an engine. */
const stub = async (
  t: Test,
  onSocket: (socket: WebSocket, url: URL, authorization: string | undefined) => void,
): Promise<string> => {
  const server: Server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url!, 'http://stub');
    if (url.searchParams.get('uid') === 'refused') {
      socket.end(
        'HTTP/1.1 401 Unauthorized\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"detail":"a reason"',
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      onSocket(accepted, url, request.headers.authorization);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const client of sockets.clients) client.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const options = { uid: 'ada', codec: 'opus', rate: 16_000 } as const;

t.test('sends the documented parameters', async (t) => {
  const url = listenUrl({
    ...options,
    url: 'https://engine.example/',
    conversationTimeout: 10,
    source: 'phone',
    conversation: '0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e',
  });
  t.equal(`${url.protocol}//${url.host}${url.pathname}`, 'wss://engine.example/v4/listen');
  t.same(Object.fromEntries(url.searchParams), {
    uid: 'ada',
    language: 'en',
    sample_rate: '16000',
    codec: 'opus',
    channels: '1',
    include_speech_profile: 'true',
    conversation_timeout: '10',
    source: 'phone',
    client_conversation_id: '0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e',
  });
  t.equal(listenUrl({ ...options, url: 'ws://engine/own/path' }).pathname, '/own/path');
  t.throws(() => listenUrl({ ...options, url: 'nowhere' }), { code: 'connection_failed' });
});

t.test(
  'answers pings, stores segments by id, removes deleted ones and ignores unknown messages',
  async (t) => {
    let answer: Buffer | undefined;
    const url = await stub(t, (socket, _url, authorization) => {
      t.equal(authorization, 'Bearer secret');
      socket.on('message', (data) => {
        answer = data as Buffer;
        socket.send('not json');
        socket.send('[]');
        socket.send('{"no":"type"}');
        socket.send('[{"id":"a","text":"one","start":0,"end":1},{"id":"b","text":"two","start":1,"end":2}]');
        socket.send('{"type":"segments_deleted","segment_ids":["b"]}');
        socket.send('[{"id":"a","text":"one two","start":0,"end":2}]');
        socket.send('{"type":"memory_created","memory":{"id":"m"}}');
      });
      socket.send('ping');
    });
    const wearable = await Wearable.connect({ ...options, url, token: 'secret' });
    const created = await wearable.waitFor(({ type }) => type === 'memory_created', 60_000);
    t.match(created, { memory: { id: 'm' } });
    t.same([...answer!], [0x8a, 0x00]);
    t.equal(wearable.transcript.text, 'one two');
    t.equal(wearable.arrivals.length, 2);
    t.match(await wearable.waitFor(({ type }) => type === 'segments_deleted', 1), { segment_ids: ['b'] });
    t.match(await wearable.close(), { code: 1000 });
    t.equal(
      await wearable.waitFor(() => false, 60_000),
      undefined,
      'nothing is awaited from a closed socket',
    );
  },
);

t.test('reports the status of a refusal and never the query', async (t) => {
  const url = await stub(t, () => t.fail('accepted'));
  await t.rejects(Wearable.connect({ ...options, uid: 'refused', url, token: 'secret' }), {
    code: 'token_refused',
    message: /\/v4\/listen refuses the token: HTTP 401 \{"detail":"a reason"$/,
    remedy: /expired.*another issuer/,
  });
  await t.rejects(Wearable.connect({ ...options, url: 'ws://127.0.0.1:1' }), { code: 'connection_failed' });
});

t.test('a close by the engine ends sending and waiting', async (t) => {
  const url = await stub(t, (socket) => {
    socket.once('message', () => socket.close(1011, 'transcription_service_unavailable'));
  });
  const wearable = await Wearable.connect({ ...options, url });
  const waiting = wearable.waitFor(() => false, 60_000);
  const frames = Array.from({ length: 10_000 }, () => ({ bytes: new Uint8Array(40), duration: 10 }));
  await wearable.send(frames);
  t.equal(await waiting, undefined);
  t.same(await wearable.closed, { code: 1011, reason: 'transcription_service_unavailable' });
});

t.test('a reopened stream proposes its conversation and waits for no event of an ended one', async (t) => {
  const proposed: (string | null)[] = [];
  const session = (id: string, status: string) =>
    JSON.stringify({ type: 'conversation_session', conversation_id: id, status });
  const memory = (id: string) => JSON.stringify({ type: 'memory_created', memory: { id } });
  const url = await stub(t, (socket, { searchParams }) => {
    proposed.push(searchParams.get('client_conversation_id'));
    if (proposed.length === 1) {
      for (const text of [session('old', 'completed'), memory('old'), session('new', 'in_progress')])
        socket.send(text);
      socket.once('message', () => socket.close(4001, 'token expired'));
    } else socket.send(memory('new'));
  });
  const wearable = await Wearable.connect({
    ...options,
    url,
    conversation: 'old',
    token: 'token',
    renewal: { renew: async () => 'token', retryAfter: 1 },
  });
  wearable.sendText('{}');
  t.match(await wearable.waitForMemory(20_000), { memory: { id: 'new' } });
  t.same(proposed, ['old', 'new']);
  await wearable.close();
});

t.test('waits for the last conversation if one has ended while the stream was reopened', async (t) => {
  const session = (id: string) =>
    JSON.stringify({ type: 'conversation_session', conversation_id: id, status: 'in_progress' });
  const memory = (id: string) => JSON.stringify({ type: 'memory_created', memory: { id } });
  const url = await stub(t, (socket) => {
    for (const text of [session('first'), memory('first'), session('second')]) socket.send(text);
    socket.once('message', () => socket.send(memory('second')));
  });
  const wearable = await Wearable.connect({ ...options, url });
  await until(() => wearable.events.length === 3, 'the first has ended');
  wearable.sendText('{}');
  t.match(await wearable.waitForMemory(20_000), { memory: { id: 'second' } });
  await wearable.close();
});

t.test('reopens a stream with a new token when its token has expired, and continues', async (t) => {
  const asked: (string | undefined)[] = [];
  const received: number[] = [];
  const perStream = 40;
  const url = await stub(t, (socket, { searchParams }, authorization) => {
    asked.push(authorization);
    t.equal(searchParams.get('uid'), 'ada');
    let frames = 0;
    socket.on('message', (data) => {
      received.push((data as Buffer).readUInt32LE());
      if (++frames === perStream && asked.length < 4) socket.close(4001, 'token expired');
    });
  });
  let renewals = 0;
  const renew = async (): Promise<string> => {
    renewals++;
    if (renewals === 2) throw new Error('the issuer is away');
    return `token ${renewals}`;
  };
  const wearable = await Wearable.connect({
    ...options,
    url,
    token: 'token 0',
    renewal: { renew, retryAfter: 1 },
  });
  const frames = Array.from({ length: 200 }, (_, index) => {
    const bytes = new Uint8Array(40);
    new DataView(bytes.buffer).setUint32(0, index, true);
    return { bytes, duration: 2 };
  });
  await wearable.send(frames);
  await until(() => received.includes(199), 'the last frame');
  t.same(
    asked,
    ['token 0', 'token 1', 'token 3', 'token 4'].map((token) => `Bearer ${token}`),
  );
  t.equal(wearable.reconnections, 3);
  t.notOk(wearable.isClosed);
  t.same(
    received,
    [...new Set(received)].sort((a, b) => a - b),
    'in order, none twice',
  );
  t.ok(received.length > 150, 'what is lost was under way when the stream was closed');
  t.match(await wearable.close(), { code: 1000 });
});

t.test('does not reopen a stream if no new token is available', async (t) => {
  const refused = async (): Promise<string> => {
    throw new CochleaError('sign_in_refused', { why: 'HTTP 400 invalid_grant' });
  };
  const away = async (): Promise<string> => {
    throw new Error('away');
  };
  const cases = [
    ['when the sign-in has ended', refused, 3_600_000],
    ['after some attempts', away, 1],
  ] as const;
  for (const [name, renew, retryAfter] of cases) {
    let asked = 0;
    const url = await stub(t, (socket) => socket.close(4001, 'token expired'));
    const wearable = await Wearable.connect({
      ...{ ...options, url, token: 'a token' },
      renewal: {
        retryAfter,
        renew() {
          asked++;
          return renew();
        },
      },
    });
    t.match(await wearable.closed, { code: 4001, reason: 'token expired' }, name);
    t.equal(asked, renew === refused ? 1 : 24);
  }
  const url = await stub(t, (socket) => socket.close(4001, 'token expired'));
  let asked = false;
  const renew = () => {
    asked = true;
    return away();
  };
  const closing = await Wearable.connect({
    ...{ ...options, url, token: 'a token' },
    renewal: { renew, retryAfter: 3_600_000 },
  });
  await until(() => asked, 'it waits for its second attempt');
  t.match(await closing.close(), { code: 4001 }, 'when the client closes it meanwhile');
});

t.test('with a clock, reopens a stream whose provider failed, unless the failure would repeat', async (t) => {
  const kinds: [name: string, clock: string | undefined, retryable: boolean, opens: number][] = [
    ['a passing failure', 'recording', true, 2],
    ['a failure that repeats', 'recording', false, 1],
    ['without positions', undefined, true, 1],
  ];
  for (const [name, clock, retryable, opens] of kinds) {
    let opened = 0;
    const url = await stub(t, (socket) => {
      opened++;
      const resume = clock === undefined ? {} : { resume_at_ms: 0 };
      socket.send(JSON.stringify({ type: 'conversation_session', status: 'in_progress', ...resume }));
      if (opened > 1) return;
      socket.send(JSON.stringify({ type: 'service_status', status: 'stt_failed', retryable }));
      socket.close(1011, 'transcription_service_unavailable');
    });
    const wearable = await Wearable.connect({ ...options, url, ...(clock && { clock }) });
    if (opens > 1) await until(() => opened === opens, 'it opens the stream again');
    else t.match(await wearable.closed, { code: 1011 });
    t.equal(opened, opens, name);
    await wearable.close();
  }
});

t.test('with a clock, tries for a long absence, and gives up after 24 failures', async (t) => {
  let opened = 0;
  const url = await stub(t, (socket) => {
    opened++;
    socket.send(JSON.stringify({ type: 'conversation_session', status: 'in_progress', resume_at_ms: 0 }));
    socket.send(JSON.stringify({ type: 'service_status', status: 'stt_failed', retryable: true }));
    // Confirmed audio resets the count of failures.
    if (opened === 6) socket.send(JSON.stringify({ type: 'audio_confirmed', confirmed_ms: 20 }));
    socket.close(1011, 'transcription_service_unavailable');
  });
  const renewal = { renew: async () => 'token', retryAfter: 1 };
  const wearable = await Wearable.connect({ ...options, url, clock: 'recording', token: 'token', renewal });
  t.match(await wearable.closed, { code: 1011 });
  t.equal(opened, 5 + 24);
});

t.test('with a clock, sends again what is not confirmed after a lost connection', async (t) => {
  const streams: { query: URLSearchParams; frames: number[] }[] = [];
  const url = await stub(t, (socket, address) => {
    const stream = { query: new URL(address, 'ws://stub').searchParams, frames: [] as number[] };
    const isFirst = streams.push(stream) === 1;
    const resume_at_ms = isFirst ? 0 : 120;
    socket.send(JSON.stringify({ type: 'conversation_session', status: 'in_progress', resume_at_ms }));
    socket.on('message', (data, isBinary) => {
      if (!isBinary) return;
      stream.frames.push((data as Buffer)[0]!);
      if (!isFirst || stream.frames.length < 10) return;
      socket.send(JSON.stringify({ type: 'audio_confirmed', confirmed_ms: 120 }), () => socket.terminate());
    });
  });
  const wearable = await Wearable.connect({ ...options, url, clock: 'recording' });
  const frames = Array.from({ length: 20 }, (_, number) => ({
    bytes: Uint8Array.of(number, 0, 0),
    duration: 20,
  }));
  await wearable.send(frames);
  await until(() => streams[1]?.frames.at(-1) === 19, 'the last frame');
  t.equal(wearable.reconnections, 1);
  t.same(
    streams.map(({ query }) => ['stream_clock', 'confirm', 'clock_at'].map((name) => query.get(name))),
    [
      ['recording', '1', '0'],
      ['recording', '1', '120'],
    ],
  );
  t.same(streams[1]!.frames, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  await wearable.close();
});
