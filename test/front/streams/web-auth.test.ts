import { once } from 'node:events';
import t from 'tap';
import { until } from '../../support/until.js';
import { fakeVerifier, startRig } from '../support.js';

const route = '/v4/web/listen';
const web = { route, token: '' };
const auth = (token: string, rest: object = {}): string => JSON.stringify({ type: 'auth', token, ...rest });

t.test('a browser authenticates with its first message', async (t) => {
  const { connect, shards } = await startRig(t);
  const client = await connect('codec=opus&sample_rate=16000&keywords=Okafor', web).open();
  client.socket.send(Buffer.alloc(40));
  client.socket.send(auth('token-ann', { device_id_hash: 'BEEF' }));
  const { request } = await shards[0]!.opened();
  t.match(request, { uid: 'ann', deviceId: 'web_beef', clientPlatform: 'web', keywords: ['Okafor'] });
  client.socket.send(Buffer.alloc(50));
  const audio = await shards[0]!.record(({ bytes, kind }) => kind === 2 && bytes.length > 0);
  t.equal(audio.bytes.length, 50, 'audio before the answer has no owner');
  t.match(client.received, ['{"type":"auth_response","success":true}', 'ping']);
});

t.test('ignores unknown fields and wrong types in the auth message', async (t) => {
  const { connect, shards } = await startRig(t, { settings: { maxStreamsPerUser: 100 } });
  const messages = [
    { device_id_hash: null },
    { device_id_hash: 7 },
    { device_id_hash: { deep: ['BEEF'] } },
    { device_id_hash: 'x'.repeat(300) },
    { uid: null, platform: null, app_version: '1.2', nested: { type: 'other', token: 'forged' } },
  ];
  for (const [place, rest] of messages.entries()) {
    const client = await connect('', web).open();
    client.socket.send(auth('token-ann', rest));
    await until(() => client.received.length > 0, 'the answer');
    t.equal(client.received[0], '{"type":"auth_response","success":true}', JSON.stringify(rest).slice(0, 50));
    await until(() => shards.some(({ seen }) => seen.length > place), 'the stream');
  }
  const { request } = await shards[0]!.opened();
  t.match(request, { uid: 'ann', deviceId: null, clientPlatform: 'web' });
});

interface Failure {
  readonly title: string;
  readonly query?: string;
  readonly first: string;
  readonly answer: boolean;
  readonly outcome: { code: number; reason: RegExp };
}
const failures: Failure[] = [
  {
    title: 'a bad token',
    first: auth('forged'),
    answer: false,
    outcome: { code: 1008, reason: /^Invalid token/ },
  },
  {
    title: 'an expired token',
    first: auth('expired'),
    answer: false,
    outcome: { code: 1008, reason: /^Invalid token/ },
  },
  {
    title: 'unreachable token keys',
    first: auth('away'),
    answer: false,
    outcome: { code: 1013, reason: /./ },
  },
  {
    title: 'another message',
    first: '{"type":"client_state"}',
    answer: false,
    outcome: { code: 1008, reason: /./ },
  },
  {
    title: 'a message that is not JSON',
    first: 'hello',
    answer: false,
    outcome: { code: 1008, reason: /./ },
  },
  {
    title: 'a token of a megabyte',
    first: auth('x'.repeat(1_000_000)),
    answer: false,
    outcome: { code: 1008, reason: /./ },
  },
  {
    title: 'a message over 16 KiB with a valid token',
    first: `${auth('token-ann')}${' '.repeat(16_384)}`,
    answer: false,
    outcome: { code: 1008, reason: /^Invalid token/ },
  },
  {
    title: 'a foreign uid',
    first: auth('token-bob'),
    answer: false,
    outcome: { code: 1008, reason: /^uid does not match/ },
  },
  {
    title: 'an unknown user',
    query: 'uid=nobody',
    first: auth('token-nobody'),
    answer: false,
    outcome: { code: 1008, reason: /^Bad user/ },
  },
  {
    title: 'a user who is deleted, or has signed out everywhere',
    query: 'uid=former',
    first: auth('token-former'),
    answer: false,
    outcome: { code: 4004, reason: /^account or token revoked/ },
  },
  {
    title: 'an unknown codec',
    query: 'codec=mp3',
    first: auth('token-ann'),
    answer: true,
    outcome: { code: 1003, reason: /^Unknown codec mp3/ },
  },
];
for (const { title, query, first, answer, outcome } of failures) {
  t.test(`refuses ${title}`, async (t) => {
    const { connect, shards, front } = await startRig(t);
    const client = await connect(query, web).open();
    client.socket.send(first);
    t.match(await client.outcome, outcome);
    t.equal(client.received[0], `{"type":"auth_response","success":${answer}}`);
    t.equal(shards[0]!.seen.length, 0);
    t.equal(front.activeStreams(), 0);
  });
}

t.test('closes a browser without a timely auth message with 1008', async (t) => {
  const { connect } = await startRig(t, { settings: { webAuthTimeout: 100 } });
  t.match(await connect('', web).outcome, { code: 1008, reason: 'Auth timeout' });
});

t.test('refuses an invalid query, and any query under lag, before the upgrade', async (t) => {
  const { connect } = await startRig(t);
  t.match(await connect('sample_rate=abc', web).outcome, { status: 403 });
  const slow = await startRig(t, { lag: () => 1e9 });
  t.match(await slow.connect('', web).outcome, { status: 503 });
});

t.test('a user with too many streams is refused after the upgrade', async (t) => {
  const { connect, shards } = await startRig(t, { settings: { maxStreamsPerUser: 1 } });
  await connect().open();
  await shards[0]!.opened();
  const client = await connect('', web).open();
  client.socket.send(auth('token-ann'));
  t.match(await client.outcome, { code: 1013, reason: /Too many open streams/ });
});

t.test('ignores a second auth message while the first is checked', async (t) => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const verifier = {
    ...fakeVerifier,
    verify: async (token: string) => {
      await asked;
      return fakeVerifier.verify(token);
    },
  };
  const { connect, shards } = await startRig(t, { verifier });
  const client = await connect('', web).open();
  client.socket.send(auth('token-ann'));
  client.socket.send(auth('token-ann'));
  // The listener answers in order, so it has read both messages when the pong arrives.
  client.socket.ping();
  await once(client.socket, 'pong');
  answer();
  await client.message((text) => text === 'ping');
  await shards[0]!.opened();
  t.equal(client.received.filter((text) => text.includes('auth_response')).length, 1);
  t.equal(shards[0]!.seen.filter(({ kind }) => kind === 1).length, 1);
});
