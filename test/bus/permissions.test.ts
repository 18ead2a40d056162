/** With credentials, a process can publish only under its own role and name, and read only the events for its role. */
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import t from 'tap';
import { openBus } from '../../src/bus/open-bus.js';
import { serverAccounts } from '../../src/bus/subjects/permissions.js';
import { createLogger } from '../../src/log/logger.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, makeUser, startNats, type TestUser } from '../support/servers/nats.js';
import { until } from '../support/until.js';

const log = createLogger('bus', 'silent');
const skip = withoutNats;

/** Connects as an attacker would: with stolen credentials, but without our program. */
const attack = async (
  t: { teardown(action: () => unknown): unknown },
  port: number,
  { seed }: TestUser,
): Promise<{ connection: NatsConnection; refusals: string[] }> => {
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
  const connection = await connect({ port, authenticator, inboxPrefix: '_INBOX.engine.a' });
  t.teardown(() => connection.close());
  const refusals: string[] = [];
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error') refusals.push(status.error.message);
    }
  })();
  return { connection, refusals };
};

t.test('credentials of an engine publish and read its own subjects only', { skip }, async (t) => {
  const [a, b, sidecar] = [
    makeUser(t, 'engine', 'a'),
    makeUser(t, 'engine', 'b'),
    makeUser(t, 'sidecar', 's'),
  ];
  const { port } = await startNats(t, { lines: serverAccounts([a, b, sidecar]) });
  const { connection, refusals } = await attack(t, port, a);

  const forbidden = [
    'cochlea.engine.b.conversation_finished',
    'cochlea.sidecar.s.account_changed',
    'cochlea.sidecar.a.account_changed',
    'cochlea.engine',
    '_INBOX.engine.b.x',
    '$JS.API.STREAM.CREATE.any',
    '$JS.API.CONSUMER.CREATE.any.any',
    '$SYS.REQ.SERVER.PING',
    '$KV.any.key',
  ];
  for (const [index, subject] of forbidden.entries()) {
    connection.publish(subject, 'x');
    await connection.flush();
    await until(() => refusals.length === index + 1, subject);
    t.match(refusals[index], /permissions violation/i, `may not publish ${subject}`);
  }
  connection.publish('cochlea.engine.a.conversation_finished', '');
  await connection.flush();
  t.equal(refusals.length, forbidden.length, 'may publish its own');

  const unreadable = [
    '>',
    'cochlea.>',
    'cochlea.engine.*.conversation_finished',
    '_INBOX.>',
    '_INBOX.engine.b.>',
    '$SYS.>',
  ];
  for (const subject of unreadable) {
    const refused = new Promise<Error | null>((resolve) =>
      connection.subscribe(subject, { callback: (error) => resolve(error) }),
    );
    t.match(await refused, { message: /permissions violation/i }, `may not read ${subject}`);
  }
});

t.test('the bus of each role needs no further permission', { skip }, async (t) => {
  const [engine, sidecar] = [makeUser(t, 'engine', 'a'), makeUser(t, 'sidecar', 'a')];
  const { url } = await startNats(t, { lines: serverAccounts([engine, sidecar]) });
  const env = {
    NATS_URL: url,
    NATS_NAME: 'a',
    NATS_ENGINE_CREDENTIALS: engine.file,
    NATS_SIDECAR_CREDENTIALS: sidecar.file,
  };
  const open = async (role: 'engine' | 'sidecar') => {
    const bus = (await openBus(busSettings(env), { role, name: 'a' }, log))!;
    t.teardown(() => bus.close());
    return bus;
  };
  const [ofEngine, ofSidecar] = [await open('engine'), await open('sidecar')];
  const heard = { account: 0, completed: 0, finished: 0 };
  ofEngine.follow('account_changed', () => heard.account++);
  ofEngine.follow('conversation_completed', () => heard.completed++, 'c-1');
  ofSidecar.follow('conversation_finished', () => heard.finished++);
  await until(() => {
    ofSidecar.publish('account_changed', 'ann');
    ofSidecar.publish('conversation_completed', 'c-1');
    ofEngine.publish('conversation_finished', 'c-1');
    return Object.values(heard).every((count) => count > 0);
  });
  t.pass('each role reads what the other sends');
});

t.test(
  'no answer of a server is an event of the process whose subject an engine names',
  { skip },
  async (t) => {
    const [liar, engine, sidecar] = [
      makeUser(t, 'engine', 'a'),
      makeUser(t, 'engine', 'b'),
      makeUser(t, 'sidecar', 'b'),
    ];
    const { url, port } = await startNats(t, { lines: serverAccounts([liar, engine, sidecar]) });
    const env = { NATS_URL: url, NATS_NAME: 'b' };
    const [ofEngine, ofSidecar] = [
      (await openBus(
        busSettings({ ...env, NATS_ENGINE_CREDENTIALS: engine.file }),
        { role: 'engine', name: 'b' },
        log,
      ))!,
      (await openBus(
        busSettings({ ...env, NATS_SIDECAR_CREDENTIALS: sidecar.file }),
        { role: 'sidecar', name: 'b' },
        log,
      ))!,
    ];
    t.teardown(() => Promise.all([ofEngine.close(), ofSidecar.close()]));
    const heard: string[] = [];
    ofEngine.follow('account_changed', (id) => heard.push(`account ${id}`));
    ofEngine.follow('conversation_completed', (id) => heard.push(`completed ${id}`), 'c-1');
    ofSidecar.follow('conversation_finished', (id) => heard.push(`finished ${id}`));
    const { connection } = await attack(t, port, liar);
    for (const reply of [
      'cochlea.sidecar.b.account_changed',
      'cochlea.sidecar.b.conversation_completed.c-1',
      'cochlea.engine.b.conversation_finished',
    ]) {
      for (const body of ['', 'x']) connection.publish('$JS.API.INFO', body, { reply });
    }
    await connection.flush();
    await until(() => {
      ofSidecar.publish('account_changed', 'ann');
      return heard.includes('account ann');
    });
    t.same([...new Set(heard)], ['account ann']);
  },
);

t.test('wrong credentials are refused at the start', { skip }, async (t) => {
  const [known, unknown] = [makeUser(t, 'engine', 'a'), makeUser(t, 'engine', 'a')];
  const { url } = await startNats(t, { lines: serverAccounts([known]) });
  const env = { NATS_URL: url, NATS_NAME: 'a', NATS_ENGINE_CREDENTIALS: unknown.file };
  await t.rejects(openBus(busSettings(env), { role: 'engine', name: 'a' }, log), {
    code: 'bus_refused',
    remedy: /NATS_NAME and the credentials/,
  });
  await t.rejects(openBus(busSettings({ NATS_URL: url }), { role: 'engine', name: 'a' }, log), {
    code: 'bus_refused',
  });
});
