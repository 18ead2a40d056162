import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import type { Settings } from '../../../src/config/settings.js';
import type { FrontOptions } from '../../../src/front/front.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { readLost } from '../../../src/wire/lost-frames.js';
import { until } from '../../support/until.js';
import { Client, startRig } from '../support.js';

interface Refusal {
  readonly title: string;
  readonly query?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly settings?: Partial<Settings>;
  readonly options?: Partial<FrontOptions>;
  readonly outcome: { status?: number; body?: RegExp; code?: number; reason?: string | RegExp };
}

const known = 'pcm8, pcm16, opus, opus_fs320, aac, lc3, lc3_fs1030';
const refusals: Refusal[] = [
  { title: 'no token', token: '', outcome: { status: 401, body: /Authorization header not found/ } },
  { title: 'a bad token', token: 'forged', outcome: { status: 401, body: /Invalid authorization token/ } },
  { title: 'an expired token', token: 'expired', outcome: { status: 401, body: /Expired/ } },
  { title: 'another scheme', token: '', headers: { Authorization: 'Basic YTpi' }, outcome: { status: 401 } },
  {
    title: 'three parts',
    token: '',
    headers: { Authorization: 'Bearer token-ann x' },
    outcome: { status: 401 },
  },
  { title: 'unreachable token keys', token: 'away', outcome: { status: 503 } },
  { title: 'no token and a bad query', token: '', query: 'channels=x', outcome: { status: 401 } },
  {
    title: 'a rate that is not a number',
    query: 'sample_rate=abc',
    outcome: { status: 403, body: /sample_rate/ },
  },
  {
    title: 'a query over 4096 characters',
    query: `filler=${'x'.repeat(4096)}`,
    outcome: { status: 431, body: /query .* longer than 4096/ },
  },
  {
    title: 'a device hash over 512 characters',
    headers: { 'X-Device-Id-Hash': 'a'.repeat(513) },
    outcome: { status: 431, body: /deviceHash/ },
  },
  {
    title: 'a sub-protocol over 512 characters',
    headers: { 'Sec-WebSocket-Protocol': 'a'.repeat(513) },
    outcome: { status: 431, body: /protocol/ },
  },
  { title: 'a token over 8 KiB', token: 'x'.repeat(8200), outcome: { status: 431 } },
  { title: 'an empty uid', query: 'uid=', outcome: { status: 403, body: /uid/ } },
  { title: 'lag over budget', options: { lag: () => 201 }, outcome: { status: 503, body: /capacity/ } },
  { title: 'no slot', options: { slotsPerShard: 0 }, outcome: { status: 503 } },
  {
    title: 'a foreign uid',
    query: 'uid=bob',
    outcome: { code: 1008, reason: 'uid does not match the token' },
  },
  {
    title: 'an unknown user',
    query: 'uid=nobody',
    token: 'token-nobody',
    outcome: { code: 1008, reason: 'Bad user' },
  },
  {
    title: 'a user who is deleted, or has signed out everywhere',
    query: 'uid=former',
    token: 'token-former',
    outcome: { code: 4004, reason: 'account or token revoked' },
  },
  {
    title: 'an unknown codec',
    query: 'codec=mp3',
    outcome: { code: 1003, reason: `Unknown codec mp3. Use one of ${known}.` },
  },
  {
    title: 'a codec of 200 letters',
    query: `codec=${'é'.repeat(200)}`,
    outcome: { code: 1003, reason: /^Unknown codec é{24}/ },
  },
  {
    title: 'a codec that is cut at an emoji',
    query: `codec=${'x'.repeat(45)}%F0%9F%98%80y`,
    outcome: { code: 1003, reason: /^Unknown codec x{45}\. Use one of / },
  },
  {
    title: 'three channels',
    query: 'channels=3',
    outcome: { code: 1003, reason: 'channels must be 1 or 2, got 3' },
  },
  {
    title: 'an unknown uid without a token',
    settings: { authMode: 'uid' },
    query: 'uid=nobody',
    token: '',
    outcome: { code: 1008 },
  },
];
for (const { title, query, token, headers, settings, options, outcome } of refusals) {
  t.test(`refuses ${title}`, async (t) => {
    const { connect, shards, front, metrics } = await startRig(t, { settings, ...options });
    const client = connect(query, { ...(token === undefined ? {} : { token }), headers });
    t.match(await client.outcome, outcome);
    t.equal(shards[0]!.seen.length, 0, 'the shard never hears of it');
    t.equal(front.activeStreams(), 0);
    t.equal(metrics.get('connections_active'), 0);
  });
}

for (const authMode of ['token', 'uid'] as const) {
  t.test(`refuses a query without uid (AUTH_MODE=${authMode})`, async (t) => {
    const { origin, shards } = await startRig(t, { settings: { authMode } });
    const headers = { Authorization: 'Bearer token-ann' };
    const client = new Client(new WebSocket(`ws://${origin}/v4/listen?language=en`, { headers }));
    t.match(await client.outcome, { status: 403, body: /Query parameter uid is not valid: required/ });
    t.equal(shards[0]!.seen.length, 0);
  });
}

t.test('accepts a uid without a token with AUTH_MODE=uid', async (t) => {
  const { connect, shards } = await startRig(t, { settings: { authMode: 'uid' } });
  await connect('', { token: '' }).open();
  t.equal((await shards[0]!.opened()).request.uid, 'ann');
});

t.test('refusals with 503 and 401 tell the client how to continue', async (t) => {
  const { origin } = await startRig(t, { lag: () => 1e9, settings: { lagWait: 0 } });
  const upgrade = {
    Authorization: 'Bearer token-ann',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const ask = (): Promise<{ status?: number; headers: Record<string, unknown> }> =>
    new Promise((resolve) => {
      request(`http://${origin}/v4/listen?uid=ann`, { headers: upgrade }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode, headers: answer.headers });
      }).end();
    });
  t.match(await ask(), {
    status: 503,
    headers: {
      'retry-after': '5',
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  });
});

t.test('a stream waits while the lag is over its budget', async (t) => {
  let lag = 201;
  let asked = 0;
  const falling = (): number => {
    if (++asked > 3) lag = 0;
    return lag;
  };
  const { connect, shards } = await startRig(t, { lag: falling });
  await connect('').open();
  t.equal((await shards[0]!.opened()).request.uid, 'ann');
  t.equal(lag, 0, 'the stream was accepted after the lag had fallen');
});

t.test('a stream that is refused for lag does not use up the opens of its user', async (t) => {
  let lag = 1e9;
  const { connect, shards } = await startRig(t, {
    lag: () => lag,
    settings: { lagWait: 0, maxOpensPerUser: 1, maxOpensPerAddress: 1 },
  });
  for (let attempt = 0; attempt < 5; attempt++) t.match(await connect('').outcome, { status: 503 });
  lag = 0;
  await connect('').open();
  t.equal((await shards[0]!.opened()).request.uid, 'ann');
});

t.test('a web stream that is refused for lag does not use up the opens of its user', async (t) => {
  let lag = 0;
  const { connect, shards } = await startRig(t, { lag: () => lag, settings: { maxOpensPerUser: 1 } });
  const authenticated = async (lagThen: number) => {
    lag = 0;
    const client = await connect('', { route: '/v4/web/listen', token: '' }).open();
    lag = lagThen;
    client.socket.send(JSON.stringify({ type: 'auth', token: 'token-ann' }));
    return client;
  };
  for (let attempt = 0; attempt < 5; attempt++) {
    const client = await authenticated(1e9);
    t.match(await client.outcome, { code: 1013, reason: /capacity/ });
  }
  await authenticated(0);
  t.equal((await shards[0]!.opened()).request.uid, 'ann');
});

t.test('limits streams per user and per engine', async (t) => {
  const { connect, shards } = await startRig(t, { settings: { maxStreamsPerUser: 2, maxStreams: 3 } });
  const first = await connect().open();
  await connect().open();
  t.match(await connect().outcome, { status: 503, body: /this user/ });
  const other = await connect('uid=bob', { token: 'token-bob' }).open();
  t.match(await connect('uid=cid', { token: 'token-cid' }).outcome, { status: 503, body: /capacity/ });
  first.socket.close();
  other.socket.close();
  await first.outcome;
  await other.outcome;
  await shards[0]!.record(({ kind }) => kind === RecordKind.close);
  await connect().open();
});

interface Limit {
  readonly title: string;
  readonly query: string;
  readonly bytes: number;
  readonly outcome: { code: number; reason: RegExp };
}
const limits: Limit[] = [
  {
    title: 'a coded frame',
    query: 'codec=opus&sample_rate=16000',
    bytes: 16_385,
    outcome: { code: 1009, reason: /^frame_too_large: 16385 bytes, at most 16384/ },
  },
  {
    title: '1 MiB of Opus',
    query: 'codec=opus&sample_rate=16000',
    bytes: 1_048_576,
    outcome: { code: 1009, reason: /^frame_too_large/ },
  },
  {
    title: 'pcm16 over 2 s',
    query: 'codec=pcm16&sample_rate=16000',
    bytes: 64_001,
    outcome: { code: 1009, reason: /at most 64000/ },
  },
  {
    title: 'pcm8 over 2 s',
    query: 'codec=pcm8',
    bytes: 16_001,
    outcome: { code: 1009, reason: /at most 16000/ },
  },
  {
    title: 'stereo pcm16 over 2 s',
    query: 'codec=pcm16&channels=2',
    bytes: 64_002,
    outcome: { code: 1009, reason: /at most 64001/ },
  },
];
for (const { title, query, bytes, outcome } of limits) {
  t.test(`refuses ${title} as too large, and accepts one byte less`, async (t) => {
    const { connect, shards, metrics } = await startRig(t);
    const client = await connect(query).open();
    const limit = bytes === 1_048_576 ? 16_384 : bytes - 1;
    client.socket.send(Buffer.alloc(limit));
    client.socket.send(Buffer.alloc(bytes));
    t.match(await client.outcome, outcome);
    t.equal((await shards[0]!.record(({ kind }) => kind === RecordKind.audio)).bytes.length, limit);
    t.equal(
      (await shards[0]!.record(({ kind }) => kind === RecordKind.close)).bytes.toString(),
      '{"code":1009}',
    );
    t.equal(metrics.get('frames_too_large_total'), 1);
  });
}

t.test('closes with 1009 for text over its limit, and accepts text at the limit', async (t) => {
  const { connect, shards } = await startRig(t);
  const client = await connect().open();
  const limit = 1_048_576;
  client.socket.send(`"${'x'.repeat(limit - 2)}"`);
  client.socket.send(`"${'x'.repeat(limit - 1)}"`);
  t.match(await client.outcome, { code: 1009, reason: /^text_too_large/ });
  t.equal((await shards[0]!.record(({ kind }) => kind === RecordKind.text)).bytes.length, limit);
});

t.test("a message over the route's payload limit ends the socket", async (t) => {
  const { connect, front } = await startRig(t);
  const client = await connect().open();
  client.socket.send(Buffer.alloc(1_400_000));
  t.match(await client.outcome, { code: front.listener.kind === 'ws' ? 1009 : 1006 });
});

t.test('a full ring drops the newest audio, keeps every control record and keeps the order', async (t) => {
  const { connect, shards, metrics } = await startRig(t, { ringSize: 65_536 });
  const [shard] = shards;
  const client = await connect('codec=opus&sample_rate=16000').open();
  await shard!.opened();
  shard!.reading = false;
  // The ring takes some frames, and the queue before it some more.
  const sent = 12 + fixedLimits.frontAudioPerSlot.value / 10_000;
  for (let count = 0; count < sent; count++) client.socket.send(Buffer.alloc(10_000, count + 1));
  const texts = [1, 2, 3].map((count) => JSON.stringify({ count, filler: 'x'.repeat(10_000) }));
  for (const text of texts) client.socket.send(text);
  client.socket.send(Buffer.alloc(10_000, 99));
  client.socket.close(1000);
  await client.outcome;
  await until(() => metrics.get('ring_frames_dropped_total') > 0);
  await until(() => metrics.get('ring_controls_queued_total') > 0);
  shard!.reading = true;
  await shard!.record(({ kind }) => kind === RecordKind.close);
  const audio = shard!.seen.filter(({ kind }) => kind === RecordKind.audio).map(({ bytes }) => bytes[0]!);
  t.same(
    audio,
    audio.map((_value, index) => index + 1),
    'the oldest were kept, in order',
  );
  t.ok(audio.length < sent);
  t.equal(audio.length + metrics.get('ring_frames_dropped_total'), Math.ceil(sent) + 1);
  t.ok(metrics.get('ring_frames_queued_total') > 0);
  const after = shard!.seen.filter(({ kind }) => kind === RecordKind.text || kind === RecordKind.close);
  t.same(
    after.map(({ bytes }) => bytes.toString()),
    [...texts, '{"code":1000}'],
  );
});

t.test('reports frames that found no ring space to the shard, at their place', async (t) => {
  const { connect, shards, metrics } = await startRig(t, { ringSize: 65_536 });
  const [shard] = shards;
  const client = await connect('codec=opus&sample_rate=16000').open();
  await shard!.opened();
  shard!.reading = false;
  const bytes = 10_000;
  // Frames whose first byte is 2 belong to the second side of a call.
  const sent = 12 + Math.ceil(fixedLimits.frontAudioPerSlot.value / bytes);
  for (let count = 0; count < sent; count++)
    client.socket.send(Buffer.alloc(bytes, count < sent - 2 ? 1 : 2));
  await until(() => metrics.get('frames_received_total') === sent);
  shard!.reading = true;
  const kept = sent - metrics.get('ring_frames_dropped_total');
  await until(() => shard!.seen.filter(({ kind }) => kind === RecordKind.audio).length === kept);
  client.socket.send(Buffer.alloc(10, 3));
  await shard!.record(({ kind, bytes: [first] }) => kind === RecordKind.audio && first === 3);
  const records = shard!.seen.filter(({ kind }) => kind !== RecordKind.open);
  const [gap, last] = records.slice(-2);
  t.equal(gap?.kind, RecordKind.gap, 'behind the frames that were taken and before the next');
  t.equal(last?.bytes.length, 10);
  const lost = metrics.get('ring_frames_dropped_total');
  t.ok(lost > 2);
  t.same(readLost(gap!.bytes), [
    { frames: lost - 2, bytes: (lost - 2) * bytes },
    { frames: 2, bytes: 2 * bytes },
  ]);
  t.equal(records.length, sent - lost + 2, 'one gap');
});

t.test('tells a client that other users filled the shard, and charges it nothing', async (t) => {
  const violation = fixedLimits.violationOpens.value;
  const { waitingPerShard } = fixedLimits;
  const { connect, shards } = await startRig(t, {
    ringSize: 65_536,
    settings: { textBurst: waitingPerShard.value / 8, imageBurst: 1024, maxOpensPerUser: violation },
  });
  const text = 'x'.repeat(30_000);
  const perUser = Math.floor(waitingPerShard.value / 8 / text.length);
  const users = Math.ceil(waitingPerShard.value / (perUser * text.length));
  const open = (user: string) => connect(`uid=${user}`, { token: `token-${user}` }).open();
  const victims = [await open('bob'), await open('bob')];
  const silent = await open('carol');
  const floods = await Promise.all(Array.from({ length: users }, (_, user) => open(`u${user}`)));
  shards[0]!.reading = false;
  for (const { socket } of floods) for (let count = 0; count < perUser; count++) socket.send(text);
  await Promise.race(floods.map(({ outcome }) => outcome));
  for (const victim of victims) {
    victim.socket.send(text);
    t.match(await victim.outcome, { code: 1013, reason: 'The engine is at capacity' });
  }
  silent.socket.send('{}');
  shards[0]!.reading = true;
  await shards[0]!.record(({ kind, bytes }) => kind === RecordKind.text && bytes.toString() === '{}');
  t.equal(silent.socket.readyState, silent.socket.OPEN, 'a little may always be said');
  // While the shard catches up, new streams are refused with 503, but only after the user's opens are counted.
  const again = connect('uid=bob', { token: 'token-bob' });
  const refusal = await Promise.race([again.open().then(() => null), again.outcome]);
  t.not(refusal?.status, 429, 'a violation would have used up the opens that are left');
});

t.test('closes a stream whose texts exceed the waiting limit while its shard is blocked', async (t) => {
  const { connect, shards, front } = await startRig(t, {
    ringSize: 65_536,
    settings: { textRate: 16_777_216, textBurst: 100_000, imageBurst: 1024 },
  });
  const client = await connect().open();
  await shards[0]!.opened();
  shards[0]!.reading = false;
  const text = JSON.stringify('x'.repeat(30_000));
  // The texts come slower than the user's budget grows.
  while (client.socket.readyState === client.socket.OPEN) {
    client.socket.send(text);
    await pause(4);
  }
  t.match(await client.outcome, { code: 1008, reason: /^texts_over_budget/ });
  t.equal(front.activeStreams(), 0);
  shards[0]!.reading = true;
  await shards[0]!.record(({ kind }) => kind === RecordKind.close);
});
