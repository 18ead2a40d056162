/** Two engines and two sidecars on one database notify each other of events over the bus, and not over the database. */

import { performance } from 'node:perf_hooks';
import { connect } from '@nats-io/transport-node';
import t from 'tap';
import { connectDatabase } from '../../src/store/client/database.js';
import { testDatabaseUrl } from '../support/database/database.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { startNats } from '../support/servers/nats.js';
import { metric, type Service, startService, type User } from '../support/service.js';
import { until } from '../support/until.js';

const channels = ['conversation_finished', 'conversation_completed', 'account_changed'] as const;
/** Words and a name that must never be on the bus. */
const canary = 'Zanzibar cinnamon lighthouse';

const env = {
  COCHLEA_STT: 'discard',
  // The periodic checks run seldom, so that they cannot be mistaken for events.
  ACCOUNT_CHECK_INTERVAL: '3600000',
  SWEEP_INTERVAL: '600000',
};

/** Sends one sentence as a client that transcribes its own speech, and waits for the summary of the conversation. */
const converse = async (service: Service, user: User): Promise<void> => {
  const options = { codec: 'pcm8', rate: 8000, conversationTimeout: 2, query: { custom_stt: 'enabled' } };
  const wearable = await service.wearable(user, options);
  await wearable.waitFor((event) => event.status === 'ready', 60_000);
  const segments = [{ text: canary, start: 0, end: 1, speaker: 'SPEAKER_00' }];
  wearable.sendText(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
  await wearable.waitFor((event) => event.type === 'memory_created', 60_000);
  wearable.close();
  await wearable.closed;
};

const signOut = async (service: Service, { token }: User): Promise<number> => {
  const answer = await fetch(`${service.base}/v1/users/sessions`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status;
};

t.test('a fleet with a bus', { skip: withoutNats, timeout: 300_000 }, async (t) => {
  const nats = await startNats(t);
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const start = () =>
    startService(t, { ...env, DATABASE_URL: url, NATS_URL: nats.url }, async () => undefined);
  // Starts the services one after the other, because each start migrates the database.
  const services = [await start(), await start()] as const;
  const [one, two] = services;

  const notified: string[] = [];
  for (const channel of channels) await sql.listen(channel, () => notified.push(channel));
  const spy = await connect({ port: nats.port });
  t.teardown(() => spy.close());
  const bus: { subject: string; text: string }[] = [];
  spy.subscribe('>', {
    callback: (_error, message) => {
      const { subject } = message;
      // Leaves out the node registry and messages between two engines.
      if (/^cochlea\.(?!engine\.[^.]+\.\d+\.to\.)/.test(subject))
        bus.push({ subject, text: message.string() });
    },
  });
  await spy.flush();

  await t.test('a conversation needs no notification of the database', async (t) => {
    const ann = await one.user('ann');
    await converse(one, ann);
    t.same(notified, [], 'no pg_notify');
    const kinds = new Set(bus.map(({ subject }) => subject.split('.').at(3)));
    t.same(kinds, new Set(['conversation_finished', 'conversation_completed']));
    t.notOk(
      bus.some(({ text }) => text !== ''),
      'these events have no payload',
    );
  });

  await t.test('a sign-out on one machine closes a stream on the other', async (t) => {
    const bob = await one.user('bob');
    const stream = await two.wearable(bob);
    await stream.waitFor((event) => event.status === 'ready', 60_000);
    // Times in tokens are whole seconds. A token that was issued in the same second as the sign-out would stay valid.
    const { iat } = JSON.parse(Buffer.from(bob.token.split('.')[1]!, 'base64url').toString()) as {
      iat: number;
    };
    await until(() => Date.now() / 1000 > iat + 1);
    const before = performance.now();
    t.equal(await signOut(one, bob), 204);
    t.match(await stream.closed, { code: 4004 });
    t.comment(`revocation on another engine: ${(performance.now() - before).toFixed(0)} ms`);
    t.same(notified, [], 'no pg_notify');
    t.ok(bus.some(({ subject, text }) => subject.endsWith('.account_changed') && text === 'id:bob'));
  });

  await t.test('the bus goes away: no stream closes, and revocations go through the database', async (t) => {
    const cam = await one.user('cam');
    const dan = await one.user('dan');
    const streams = [await two.wearable(cam), await two.wearable(dan)];
    for (const stream of streams) await stream.waitFor((event) => event.status === 'ready', 60_000);
    await nats.kill();
    for (const service of services) await until(async () => (await metric(service, 'bus_connected')) === 0);
    const { iat } = JSON.parse(Buffer.from(cam.token.split('.')[1]!, 'base64url').toString()) as {
      iat: number;
    };
    await until(() => Date.now() / 1000 > iat + 1);
    // If the sidecar has not noticed yet that the bus is away, the sidecar's event is lost.
    await until(async () => {
      await signOut(one, cam);
      return streams[0]!.isClosed;
    });
    t.match(await streams[0]!.closed, { code: 4004 });
    t.notOk(streams[1]!.isClosed);
    await nats.start();
    for (const service of services) await until(async () => (await metric(service, 'bus_connected')) === 1);
    t.notOk(streams[1]!.isClosed, 'the other stream is still open');
  });

  t.notOk(
    bus.some(({ subject, text }) => /zanzibar|cinnamon|lighthouse/i.test(subject + text)),
    'no word is on the bus',
  );
});
