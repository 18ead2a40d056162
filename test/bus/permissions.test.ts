/** With credentials, a process can publish only under its own role and name, and read only the events for its role. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import t from 'tap';
import { checkBus } from '../../src/bus/nats/check-bus.js';
import { openBus } from '../../src/bus/open-bus.js';
import {
  messageSubject,
  messagesTo,
  nodeStream,
  nodeSubject,
  nodeSubjects,
} from '../../src/bus/subjects/nodes.js';
import { serverAccounts } from '../../src/bus/subjects/permissions.js';
import { canarySubject, copySubject, spillStream } from '../../src/bus/subjects/spill-subjects.js';
import { createLogger } from '../../src/log/logger.js';
import { keepingLogger } from '../stt/service/line.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, makeUser, startNats, type TestUser } from '../support/servers/nats.js';
import { until } from '../support/until.js';

const log = createLogger('bus', 'silent');
const skip = withoutNats;
const journal = 'engine.0.00000000-0000-4000-8000-000000000000';

/** Returns the errors with a code among the lines of `keepingLogger`. */
const loggedErrors = (lines: readonly unknown[], code: string): { remedy: string }[] =>
  lines
    .map((line) => (line as [{ err?: { code?: string; remedy: string } }])[0].err)
    .filter((err) => err !== undefined)
    .filter((err) => err.code === code);

/** Connects as an attacker would: with stolen credentials, but without the product's client. */
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
    messageSubject('b.0', 'c.0'),
    messageSubject('b.0', 'a.0'),
    nodeSubject('engine', 'b.0'),
    nodeSubject('engine', 'a'),
    nodeSubject('sidecar', 'a.0'),
    // A consumer could deliver messages to any subject, and a direct answer would contain bytes that the attacker
    // stored.
    `$JS.API.CONSUMER.CREATE.${nodeStream}`,
    `$JS.API.CONSUMER.CREATE.${nodeStream}.any.${nodeSubject('engine', 'a.0')}`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${nodeStream}.any`,
    `$JS.API.CONSUMER.MSG.NEXT.${nodeStream}.any`,
    `$JS.API.CONSUMER.LIST.${nodeStream}`,
    `$JS.API.DIRECT.GET.${nodeStream}`,
    `$JS.API.DIRECT.GET.${nodeStream}.${nodeSubject('engine', 'a.0')}`,
    `$JS.API.STREAM.CREATE.${nodeStream}`,
    `$JS.API.STREAM.UPDATE.${nodeStream}`,
    `$JS.API.STREAM.DELETE.${nodeStream}`,
    `$JS.API.STREAM.PURGE.${nodeStream}`,
    `$JS.API.STREAM.MSG.DELETE.${nodeStream}`,
    `$JS.API.STREAM.SNAPSHOT.${nodeStream}`,
    ...['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT'].map(
      (request) => `$JS.API.STREAM.${request}.${spillStream}`,
    ),
    `$JS.API.DIRECT.GET.${spillStream}`,
    `$JS.API.CONSUMER.CREATE.${spillStream}`,
    copySubject('b', journal)!,
    canarySubject('b', 0),
    '$JS.API.STREAM.LIST',
    '$JS.API.STREAM.INFO.any',
    '$JS.API.STREAM.MSG.GET.any',
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
    '$KV.>',
    '$JS.>',
    nodeSubjects('sidecar'),
    copySubject('a', journal)!,
    'cochlea.engine.*.spill.>',
    messagesTo('b'),
    messagesTo('*'),
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

t.test('an engine cannot change entries of others in the node registry', { skip }, async (t) => {
  const [liar, engine, sidecar] = [
    makeUser(t, 'engine', 'a'),
    makeUser(t, 'engine', 'b'),
    makeUser(t, 'sidecar', 's'),
  ];
  const lines = serverAccounts([liar, engine, sidecar]);
  // The operator of this test belongs to the account of the engines.
  const place = lines.indexOf('    users: [');
  lines.splice(place + 1, 0, '      { user: o, password: p }');
  const { url, port } = await startNats(t, { lines });
  const open = async (role: 'engine' | 'sidecar', { name, file }: TestUser) => {
    const credentials = { [`NATS_${role.toUpperCase()}_CREDENTIALS`]: file };
    const bus = (await openBus(
      busSettings({ NATS_URL: url, NATS_NAME: name, ...credentials }),
      { role, name },
      log,
    ))!;
    t.teardown(() => bus.close());
    return bus;
  };
  await open('sidecar', sidecar);
  const { members } = await open('engine', engine);
  await until(() => members!.living.length === 1, 'the credentials of both roles are enough');

  const manage = await connect({ port, user: 'o', pass: 'p' });
  t.teardown(() => manage.close());
  const manager = await jetstreamManager(manage);
  await manager.streams.add({ name: 'words', subjects: ['words.>'] });
  for (let word = 0; word < 20; word++) manage.publish('words.x', `${word}`);
  await manage.flush();
  const { connection, refusals } = await attack(t, port, liar);
  const own = nodeSubject('engine', 'a.0');
  const get = JSON.stringify({ last_by_subj: own });
  // The reply subject of each permitted message is a harmful request. So the servers' answers would arrive as harmful
  // requests.
  for (const stream of [nodeStream, 'words']) {
    for (const request of [
      'STREAM.PURGE',
      'STREAM.MSG.DELETE',
      'STREAM.DELETE',
      'STREAM.UPDATE',
      'STREAM.CREATE',
    ]) {
      const reply = `$JS.API.${request}.${stream}`;
      connection.publish(own, 'alive:01234567', { reply });
      connection.publish(own, '{}', { reply });
      connection.publish('$JS.API.INFO', '', { reply });
      connection.publish(`$JS.API.STREAM.INFO.${nodeStream}`, '', { reply });
      connection.publish(`$JS.API.STREAM.MSG.GET.${nodeStream}`, get, { reply });
    }
  }
  for (const reply of [nodeSubject('engine', 'b.0'), nodeSubject('engine', 'ghost.0')]) {
    connection.publish(own, 'ended:01234567', { reply });
    connection.publish(`$JS.API.STREAM.MSG.GET.${nodeStream}`, get, { reply });
  }
  for (const [name, value] of [
    ['Nats-Rollup', 'all'],
    ['Nats-TTL', '1h'],
    ['Nats-Schedule', '@every 1s'],
  ] as const) {
    const marked = headers();
    marked.set(name, value);
    connection.publish(own, 'alive:01234567', { headers: marked });
  }
  connection.publish(own, 'alive:89abcdef');
  await connection.flush();
  t.same(refusals, [], 'all of this is permitted by the servers');
  await until(() => members!.living.length === 2, 'its own entry is read');
  t.same(
    members!.living.map(({ id }) => id),
    ['a.0', 'b.0'],
    'no ghost, and nobody else is gone',
  );
  const words = await manager.streams.info('words');
  t.equal(words.state.messages, 20, 'other streams of the account are complete');
  const nodes = await manager.streams.info(nodeStream, { subjects_filter: '>' });
  t.ok(nodes.state.subjects?.[nodeSubject('engine', 'b.0')], 'the other entry is stored');
  t.equal(nodes.config.max_msgs_per_subject, 1);
});

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

t.test('credentials of another name or role are refused at the start', { skip }, async (t) => {
  const users = (['engine', 'sidecar'] as const).flatMap((role) =>
    ['a', 'b'].map((name) => makeUser(t, role, name)),
  );
  const server = await startNats(t, { lines: serverAccounts(users) });
  const settingsOf = (role: 'engine' | 'sidecar', { file }: TestUser) =>
    busSettings({
      NATS_URL: server.url,
      NATS_NAME: 'a',
      [`NATS_${role.toUpperCase()}_CREDENTIALS`]: file,
    });
  for (const role of ['engine', 'sidecar'] as const) {
    for (const user of users) {
      const start = openBus(settingsOf(role, user), { role, name: 'a' }, log);
      const which = `credentials of ${user.role} ${user.name} for ${role} a`;
      if (user.role === role && user.name === 'a') {
        await (await start)!.close();
        continue;
      }
      const refused = {
        code: 'bus_refused',
        message: /the credentials belong to another NATS_NAME or role \(.*_INBOX\.(engine|sidecar)\.a\./,
        remedy: `Correct NATS_NAME or NATS_${role.toUpperCase()}_CREDENTIALS. "cochlea doctor" checks them.`,
      };
      await t.rejects(start, refused, which);
      await t.rejects(checkBus(settingsOf(role, user)), refused, `doctor: ${which}`);
    }
  }
  const [, other] = users;
  await server.kill();
  const logged: unknown[] = [];
  const late = await openBus(
    settingsOf('engine', other!),
    { role: 'engine', name: 'a' },
    keepingLogger(logged),
  );
  t.teardown(() => late!.close());
  await server.start();
  await until(
    () => loggedErrors(logged, 'bus_refused').length > 0,
    'servers that answer later refuse them, too',
  );
  t.equal(late!.connected, false);
});

t.test('the log says once that a server refuses the own events', { skip }, async (t) => {
  const user = makeUser(t, 'engine', 'a');
  const lines = serverAccounts([user]).map((line) => line.replace('"cochlea.engine.a.>", ', ''));
  const { url } = await startNats(t, { lines });
  const logged: unknown[] = [];
  const settings = busSettings({ NATS_URL: url, NATS_NAME: 'a', NATS_ENGINE_CREDENTIALS: user.file });
  const bus = (await openBus(settings, { role: 'engine', name: 'a' }, keepingLogger(logged)))!;
  t.teardown(() => bus.close());
  for (let event = 0; event < 3; event++) bus.publish('conversation_finished', 'c-1');
  await until(() => loggedErrors(logged, 'bus_refused').length > 0);
  const [refusal, ...more] = loggedErrors(logged, 'bus_refused');
  t.match(refusal!.remedy, /NATS_NAME or NATS_ENGINE_CREDENTIALS/);
  t.same(more, [], 'the three refusals are one line');
});

t.test('an engine cannot change copies of others in the stream of spilled entries', { skip }, async (t) => {
  const [liar, engine, sidecar] = [
    makeUser(t, 'engine', 'a'),
    makeUser(t, 'engine', 'b'),
    makeUser(t, 'sidecar', 's'),
  ];
  const { url, port } = await startNats(t, { lines: serverAccounts([liar, engine, sidecar]) });
  const open = async (role: 'engine' | 'sidecar', { name, file }: TestUser) => {
    const credentials = { [`NATS_${role.toUpperCase()}_CREDENTIALS`]: file };
    const settings = busSettings({
      NATS_URL: url,
      NATS_NAME: name,
      SPILL_KEY: 'k'.repeat(32),
      ...credentials,
    });
    const bus = (await openBus(settings, { role, name }, log))!;
    t.teardown(() => bus.close());
    return bus;
  };
  const { storedCopies } = await open('sidecar', sidecar);
  const { copies } = await open('engine', engine);
  await until(() => copies!.ready, 'the credentials of both roles are enough');
  const words = new TextEncoder().encode('sealed words');
  for (let copy = 0; copy < 3; copy++) t.ok(await copies!.store(journal, words));

  const { connection, refusals } = await attack(t, port, liar);
  const own = copySubject('a', journal)!;
  // The reply subject of each permitted message is a harmful request, also that of the attacker's own copies. So the
  // servers' answers would arrive as harmful requests.
  for (const request of ['PURGE', 'MSG.DELETE', 'DELETE', 'UPDATE', 'CREATE', 'MSG.GET']) {
    const reply = `$JS.API.STREAM.${request}.${spillStream}`;
    connection.publish(own, 'x', { reply });
    connection.publish(own, '{"seq":3}', { reply });
    connection.publish('$JS.API.INFO', '', { reply });
    connection.publish(`$JS.API.STREAM.INFO.${spillStream}`, '', { reply });
    connection.publish(`$JS.API.STREAM.INFO.${nodeStream}`, '', { reply });
  }
  for (const subject of [copySubject('b', journal)!, canarySubject('b', 0)])
    connection.publish(own, 'x', { reply: subject });
  for (const [name, value] of [
    ['Nats-Rollup', 'all'],
    ['Nats-Rollup', 'sub'],
    ['Nats-TTL', '1h'],
    ['Nats-Schedule', '@every 1s'],
    ['Nats-Msg-Id', '1'],
  ] as const) {
    const marked = headers();
    marked.set(name, value);
    connection.publish(own, 'x', { headers: marked });
  }
  await connection.flush();
  t.same(refusals, [], 'all of this is permitted by the servers');
  t.ok(await copies!.store(journal, words), 'the other engine still stores');
  const found = (await storedCopies!.look())!;
  const theirs = copySubject('b', journal)!;
  t.ok(found.journals.some(({ subject }) => subject === theirs));
  const read: string[] = [];
  for (let copy = await storedCopies!.next(theirs, 0); copy; ) {
    read.push(Buffer.from(copy.bytes).toString());
    copy = await storedCopies!.next(theirs, copy.sequence + 1);
  }
  // The servers' answers to the attacker can be stored as copies of the other engine. They are not sealed, so no reader
  // uses them.
  t.same(
    read.filter((text) => !text.startsWith('{')),
    Array(4).fill('sealed words'),
  );
});
