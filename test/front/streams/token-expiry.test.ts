/** Sockets end with their token and with their account. An auth message on an open socket renews the token. */
import t from 'tap';
import { WebSocket } from 'ws';
import { loadSettings } from '../../../src/config/load-settings.js';
import { startHeartbeat } from '../../../src/front/heartbeat.js';
import { Connection, ConnectionState } from '../../../src/front/streams/connection.js';
import { parseListenQuery } from '../../../src/front/streams/query.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { until } from '../../support/until.js';
import { fakeVerifier, type Rig, startRig } from '../support.js';

const auth = (token: string): string => JSON.stringify({ type: 'auth', token });
const web = { route: '/v4/web/listen', token: '' };

/**
 * Ms until a short token expires. Even a busy machine needs less time from the token's check until the client's next
 * message.
 */
const shortly = 1500;

/** `short-NAME` is a token of NAME that expires soon. The check of `slow-NAME` takes as long as the test decides. */
const verifierWith = (slow: Promise<void> = Promise.resolve()) => ({
  ...fakeVerifier,
  verify: async (token: string) => {
    if (token.startsWith('short-'))
      return { uid: token.slice(6), issuedAt: Date.now(), expiresAt: Date.now() + shortly };
    if (!token.startsWith('slow-')) return fakeVerifier.verify(token);
    await slow;
    return { uid: token.slice(5), issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY };
  },
});
const quick = { heartbeatInterval: 200 };

/**
 * Opens a socket with a short token, and resolves when the server closes it at the token's expiry. Sockets are checked in
 * order of arrival. By then the server has also checked every earlier socket after the expiry of its short token.
 */
const laterTokenEnded = async ({ connect }: Pick<Rig, 'connect'>): Promise<void> => {
  const { code } = await connect('', { token: 'short-ann' }).outcome;
  if (code !== 4001) throw new Error(`closed with ${code}`);
};

t.test('an expired token closes its socket on both routes', async (t) => {
  const { connect, shards } = await startRig(t, { verifier: verifierWith(), settings: quick });
  const listening = await connect('', { token: 'short-ann' }).open();
  const inBrowser = await connect('', web).open();
  inBrowser.socket.send(auth('short-ann'));
  t.match(await listening.outcome, { code: 4001, reason: 'token expired' });
  t.match(await inBrowser.outcome, { code: 4001, reason: 'token expired' });
  const notice = await shards[0]!.record(({ kind }) => kind === RecordKind.close);
  t.equal(notice.bytes.toString(), '{"code":4001}', 'the shard keeps the conversation for a reconnect');
});

t.test('an auth message renews the token and never reaches the shard', async (t) => {
  const { connect, shards } = await startRig(t, { verifier: verifierWith(), settings: quick });
  const client = await connect('', { token: 'short-ann' }).open();
  const { slot } = await shards[0]!.opened();
  client.socket.send(`{ "token" : "token-ann", "type" : "auth" }`);
  await client.message((text) => text === '{"type":"auth_response","success":true}');
  await laterTokenEnded({ connect });
  t.equal(client.socket.readyState, WebSocket.OPEN);
  client.socket.send('{"type":"say \\"auth\\""}');
  client.socket.send('"auth"');
  await shards[0]!.record(({ bytes }) => bytes.toString() === '"auth"');
  t.same(
    shards[0]!.seen
      .filter((record) => record.kind === RecordKind.text && record.slot === slot)
      .map(({ bytes }) => bytes.toString()),
    ['{"type":"say \\"auth\\""}', '"auth"'],
    'what only looks like one is a text as any other',
  );
});

t.test('an invalid renewal changes nothing, and one of another user closes the socket', async (t) => {
  const { connect } = await startRig(t, { verifier: verifierWith(), settings: quick });
  const client = await connect().open();
  for (const token of ['forged', 'expired', 'away']) client.socket.send(auth(token));
  client.socket.send('{"type":"auth"}');
  await client.message((text) => text.includes('"success":false'));
  t.equal(client.socket.readyState, WebSocket.OPEN);
  client.socket.send(auth('token-bob'));
  t.match(await client.outcome, { code: 1008, reason: 'uid does not match the token' });
});

t.test('keeps the socket open while the check of a renewal outlasts the token', async (t) => {
  let answer = (): void => undefined;
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { connect } = await startRig(t, { verifier: verifierWith(slow), settings: quick });
  const client = await connect('', { token: 'short-ann' }).open();
  client.socket.send(auth('slow-ann'));
  await laterTokenEnded({ connect });
  t.equal(client.socket.readyState, WebSocket.OPEN);
  answer();
  await client.message((text) => text.includes('"success":true'));
});

t.test('checks only a few of a flood of auth messages', async (t) => {
  let checks = 0;
  const verifier = {
    ...fakeVerifier,
    verify: async (token: string) => {
      checks++;
      return fakeVerifier.verify(token);
    },
  };
  const { connect, shards } = await startRig(t, { verifier });
  const client = await connect().open();
  for (let count = 0; count < 500; count++) client.socket.send(auth('token-ann'));
  client.socket.close();
  await shards[0]!.record(({ kind }) => kind === RecordKind.close);
  t.ok(checks <= 12, `${checks} checks`);
});

t.test('a deleted account closes its own sockets and no others', async (t) => {
  const asked: string[][] = [];
  let allAreOpen = false;
  const verifier = {
    ...fakeVerifier,
    floors: async (uids: readonly string[]) => {
      if (!allAreOpen) return new Map<string, number>();
      asked.push([...uids].sort());
      if (asked.length === 2) throw new Error('the database is away');
      return new Map(asked.length >= 3 ? [['ann', Number.POSITIVE_INFINITY]] : []);
    },
  };
  const { connect } = await startRig(t, { verifier, settings: { accountCheckInterval: 100 } });
  const ann = await connect().open();
  const again = await connect().open();
  const bob = await connect('uid=bob', { token: 'token-bob' }).open();
  await connect('', web).open();
  allAreOpen = true;
  t.match(await ann.outcome, { code: 4004, reason: 'account or token revoked' });
  t.match(await again.outcome, { code: 4004 });
  t.equal(bob.socket.readyState, WebSocket.OPEN);
  t.ok(asked.length >= 3, 'a round that failed closed nothing, and another followed');
  t.same(asked[2], ['ann', 'bob'], 'each user once');
});

t.test('closes sockets whose token is older than a sign-out everywhere', async (t) => {
  const signedOut = 5000;
  const verifier = {
    ...fakeVerifier,
    verify: async (token: string) => {
      const [, made, uid] = /^made-(\d+)-(.*)$/.exec(token)!;
      return { uid: uid!, issuedAt: Number(made), expiresAt: Number.POSITIVE_INFINITY };
    },
    floors: async (uids: readonly string[]) =>
      new Map(uids.map((uid) => [uid, uid === 'ann' ? signedOut : 0])),
  };
  // The interval is so long that no periodic check closes the sockets.
  const { connect, front } = await startRig(t, { verifier, settings: { accountCheckInterval: 3_600_000 } });
  const old = await connect('', { token: 'made-4999-ann' }).open();
  const renewed = await connect('', { token: 'made-4998-ann' }).open();
  renewed.socket.send(auth('made-5000-ann'));
  await renewed.message((text) => text.includes('"success":true'));
  const bob = await connect('uid=bob', { token: 'made-1-bob' }).open();
  await front.checkAccounts('bob');
  t.equal(old.socket.readyState, WebSocket.OPEN, 'another user was looked up');
  await front.checkAccounts('ann');
  t.match(await old.outcome, { code: 4004, reason: 'account or token revoked' });
  for (const open of [renewed, bob]) t.equal(open.socket.readyState, WebSocket.OPEN);
});

t.test('a uid without a token never expires', async (t) => {
  const { connect } = await startRig(t, { settings: { ...quick, authMode: 'uid' } });
  const client = await connect('', { token: '' }).open();
  client.socket.send(auth('anything'));
  t.ok(await client.message((text) => text.includes('"success":true')));
});

t.test('uses the wall clock for the expiry', async (t) => {
  const settings = loadSettings({}).values;
  const caller = {
    uid: 'ann',
    query: parseListenQuery('uid=ann'),
    device: { platform: null, deviceId: null },
    rejection: null,
    issuedAt: 0,
    expiresAt: 1_000_000,
  };
  const client = { address: '127.0.0.1', group: '127.0.0.1', trusted: true, exempt: true };
  const connection = new Connection(caller.query, caller, client, settings);
  const ended: number[] = [];
  connection.attach({ end: (code: number) => ended.push(code) } as never);
  let wall = 999_999;
  let looks = 0;
  const stop = startHeartbeat(
    new Set([connection]),
    { ...settings, heartbeatInterval: 10_000_000, webAuthTimeout: 100 },
    () => {
      looks++;
      return wall;
    },
  );
  t.teardown(stop);
  await until(() => looks >= 3);
  t.same(ended, []);
  wall = 1_000_000;
  await until(() => ended.length > 0);
  t.same(ended.slice(0, 1), [4001]);
  t.equal(connection.state, ConnectionState.ended);
});
