/**
 * Sockets and upgrades before authentication. Tests their duration and number, and that they use no slot of a stream.
 */
import t from 'tap';
import { WebSocket } from 'ws';
import { until } from '../../support/until.js';
import { fakeVerifier, startRig } from '../support.js';

const web = { route: '/v4/web/listen', token: '' };
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const auth = (token: string): string => JSON.stringify({ type: 'auth', token });

t.test('the time limit for the auth message counts from the upgrade, whatever is sent', async (t) => {
  const { connect } = await startRig(t, { settings: { webAuthTimeout: 300 } });
  const client = await connect('', web).open();
  const sending = setInterval(() => {
    client.socket.send(Buffer.alloc(2));
    client.socket.send(Buffer.alloc(100));
    client.socket.ping();
  }, 20);
  t.teardown(() => clearInterval(sending));
  t.match(await client.outcome, { code: 1008, reason: 'Auth timeout' });
});

t.test('ends a token check that takes too long', async (t) => {
  const verifier = { ...fakeVerifier, verify: () => new Promise<never>(() => undefined) };
  const { connect, front } = await startRig(t, { verifier, settings: { webAuthTimeout: 1000 } });
  const client = await connect('', web).open();
  client.socket.send(auth('token-ann'));
  t.match(await client.outcome, { code: 1013, reason: /Token keys/ });
  t.match(await connect().outcome, { status: 503, body: /Token keys/ }, 'before the upgrade');
  t.equal(front.activeStreams(), 0);
});

t.test('waiting sockets use no stream slot', async (t) => {
  const { connect, shards } = await startRig(t, { settings: { maxStreams: 1 } });
  const late = await connect('uid=bob', web).open();
  await Promise.all(Array.from({ length: 5 }, () => connect('', web).open()));
  await connect().open();
  await shards[0]!.opened();
  t.match(await connect('', web).outcome, { status: 503, body: /capacity/ });
  late.socket.send(auth('token-bob'));
  t.match(await late.outcome, { code: 1013, reason: /capacity/ }, 'the only slot is taken by now');
});

t.test('limits waiting sockets per address and in total', async (t) => {
  const settings = { maxUnauthenticated: 4, maxUnauthenticatedPerAddress: 2 };
  const { connect } = await startRig(t, { settings });
  const first = await connect('', { ...web, ...from('203.0.113.1') }).open();
  await connect('', { ...web, ...from('203.0.113.1') }).open();
  t.match(await connect('', { ...web, ...from('203.0.113.1') }).outcome, {
    status: 503,
    body: /wait for their auth/,
  });
  t.match(
    await connect('', { ...web, ...from('198.51.100.1, 203.0.113.1') }).outcome,
    { status: 503 },
    'what the client itself names does not help it',
  );
  t.match(
    await connect('', { ...web, headers: { 'x-forwarded-for': ['', '203.0.113.1'] as never } }).outcome,
    { status: 503 },
    'nor does an empty header of its own before the one that its proxy appends',
  );
  await connect('', { ...web, ...from('2001:db8::1') }).open();
  await connect('', { ...web, ...from('2001:db8::2') }).open();
  t.match(
    await connect('', { ...web, ...from('2001:db8::3') }).outcome,
    { status: 503 },
    'one /64 is one address',
  );
  t.match(
    await connect('', { ...web, ...from('203.0.113.9') }).outcome,
    { status: 503 },
    'all places are taken',
  );
  t.ok(await connect('', from('203.0.113.1')).open(), 'a stream with its token is taken all the same');
  first.socket.close();
  await first.outcome;
  const next = await connect('', { ...web, ...from('203.0.113.1') }).open();
  next.socket.send(auth('token-ann'));
  await next.message((text) => text.includes('auth_response'));
  t.ok(
    await connect('', { ...web, ...from('203.0.113.1') }).open(),
    'a place is free again when its socket left, and when it authenticated',
  );
});

t.test('closes the oldest waiting socket when all slots are taken', async (t) => {
  const { connect } = await startRig(t, { settings: { maxUnauthenticated: 2, webAuthTimeout: 60_000 } });
  const oldest = await connect('', web).open();
  const second = await connect('', web).open();
  t.match(await connect('', web).outcome, { status: 503 }, 'not at once');
  await until(async () => {
    const next = connect('', web);
    return Promise.race([next.open(), next.outcome.then(() => false as const)]);
  }, 'the oldest has waited long enough');
  t.match(await oldest.outcome, { code: 1013 });
  t.equal(second.socket.readyState, WebSocket.OPEN);
});

t.test('limits concurrent token checks per address and in total', async (t) => {
  const pending: (() => void)[] = [];
  const verifier = {
    ...fakeVerifier,
    verify: async (token: string) => {
      await new Promise<void>((resolve) => pending.push(resolve));
      return fakeVerifier.verify(token);
    },
  };
  const settings = { maxUpgrades: 3, maxUpgradesPerAddress: 2 };
  const { connect } = await startRig(t, { verifier, settings });
  const checked = [1, 2].map(() => connect('', from('203.0.113.1')));
  await until(() => pending.length === 2);
  t.match(await connect('', from('203.0.113.1')).outcome, { status: 503, body: /tokens are being checked/ });
  checked.push(connect('', from('203.0.113.2')));
  await until(() => pending.length === 3);
  t.match(await connect('', from('203.0.113.3')).outcome, { status: 503 });
  for (const answer of pending.splice(0)) answer();
  await Promise.all(checked.map((client) => client.open()));
  const next = connect('', from('203.0.113.1'));
  await until(() => pending.length === 1);
  pending[0]!();
  await next.open();
});

t.test('drops audio before the auth message, up to a limit', async (t) => {
  const { connect, shards } = await startRig(t);
  const client = await connect('', web).open();
  for (let count = 0; count < 33; count++) client.socket.send(Buffer.alloc(32_768));
  t.match(await client.outcome, { code: 1008, reason: /before the auth message/ });
  t.equal(shards[0]!.seen.length, 0);
});
