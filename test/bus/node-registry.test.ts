/** Engines find each other in the node registry, and work without it. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import t from 'tap';
import { openBus } from '../../src/bus/open-bus.js';
import type { Bus } from '../../src/bus/subjects/bus.js';
import { nodeStream, nodeSubject } from '../../src/bus/subjects/nodes.js';
import { createLogger } from '../../src/log/logger.js';
import { keepingLogger } from '../stt/service/line.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, startNats } from '../support/servers/nats.js';
import { until } from '../support/until.js';

const log = createLogger('bus', 'silent');
const skip = withoutNats;

const open = async (
  t: { teardown(action: () => unknown): unknown },
  url: string,
  identity: { role: 'engine' | 'sidecar'; name: string; process?: number },
  logger = log,
): Promise<Bus> => {
  const bus = (await openBus(busSettings({ NATS_URL: url }), identity, logger))!;
  t.teardown(() => bus.close());
  return bus;
};

const ids = (bus: Bus): string => bus.members!.living.map(({ id }) => id).join();
/** Returns the logged lines as one text, with messages and remedies of errors. */
const warnings = (logged: readonly unknown[]): string =>
  (logged as [{ err?: { message: string; remedy?: string } }, string][])
    .map(([{ err }, text]) => `${text}: ${err?.message} ${err?.remedy}`)
    .join('\n');

t.test('engines find each other, and notice who ends', { skip, timeout: 120_000 }, async (t) => {
  const { url, port } = await startNats(t);
  const sidecar = await open(t, url, { role: 'sidecar', name: 's' });
  t.equal(sidecar.members, null);
  const a = await open(t, url, { role: 'engine', name: 'a' });
  const b = await open(t, url, { role: 'engine', name: 'b', process: 1 });
  await until(() => [a, b].every((bus) => ids(bus) === 'a.0,b.1'));
  for (const key of ['ann', 'bob', 'cam']) t.equal(a.members!.home(key), b.members!.home(key));

  const changes: string[] = [];
  const end = a.members!.onChange(() => changes.push(ids(a)));
  const stranger = await connect({ port });
  t.teardown(() => stranger.close());
  const noNodes: readonly (readonly [subject: string, value: string])[] = [
    [nodeSubject('engine', 'x.0'), ''],
    [nodeSubject('engine', 'x.0'), '{"stream":"KV_cochlea_nodes","seq":2}'],
    [nodeSubject('engine', 'x.0'), `alive:${'0'.repeat(1000)}`],
    [nodeSubject('engine', 'x.y'), 'alive:01234567'],
    [nodeSubject('engine', 'b.1'), 'ended:01234567'],
  ];
  for (const [subject, value] of noNodes) stranger.publish(subject, value);
  stranger.publish(nodeSubject('engine', 'x.0'), 'alive:01234567', { reply: 'somewhere' });
  stranger.publish(nodeSubject('engine', 'c.0'), 'alive:01234567');
  await until(() => changes.length > 0);
  t.same(changes, ['a.0,b.1,c.0'], 'messages that are no entries are ignored');
  await until(() => ids(a) === 'a.0,b.1', 'a silent engine is forgotten');
  await b.close();
  await until(() => ids(a) === 'a.0', 'an engine that ends says so');
  end();
});

t.test('the registry recovers with the bus, without a restart', { skip, timeout: 120_000 }, async (t) => {
  const server = await startNats(t);
  await open(t, server.url, { role: 'sidecar', name: 's' });
  const engines = [
    await open(t, server.url, { role: 'engine', name: 'a' }),
    await open(t, server.url, { role: 'engine', name: 'b' }),
  ];
  const all = (expected: string) => until(() => engines.every((bus) => ids(bus) === expected), expected);
  await all('a.0,b.0');
  for (const round of [1, 2]) {
    await server.kill();
    await all('');
    t.equal(engines[0]!.members!.home('ann'), null, `no home without the bus (${round})`);
    await server.start();
    await all('a.0,b.0');
  }
});

t.test(
  'without the bucket an engine warns once, and finds it later',
  { skip, timeout: 120_000 },
  async (t) => {
    const { url } = await startNats(t);
    const logged: unknown[] = [];
    const a = await open(t, url, { role: 'engine', name: 'a' }, keepingLogger(logged));
    await until(() => /no sidecar has made it yet/.test(warnings(logged)));
    t.equal(ids(a), '');
    await open(t, url, { role: 'sidecar', name: 's' });
    await until(() => ids(a) === 'a.0');
    t.equal(warnings(logged).match(/the database alone decides/g)?.length, 1);
  },
);

t.test('without JetStream both roles warn once, with a remedy', { skip, timeout: 120_000 }, async (t) => {
  const { url } = await startNats(t, {
    lines: ['accounts { A { users: [ { user: u, password: p } ] } }', 'no_auth_user: u'],
  });
  const [ofEngine, ofSidecar]: unknown[][] = [[], []];
  const a = await open(t, url, { role: 'engine', name: 'a' }, keepingLogger(ofEngine!));
  await open(t, url, { role: 'sidecar', name: 's' }, keepingLogger(ofSidecar!));
  await until(() => /the database alone decides/.test(warnings(ofEngine!)));
  await until(() => /cannot find each other/.test(warnings(ofSidecar!)));
  t.match(warnings(ofEngine!), /A fleet/, 'the remedy names the page');
  t.equal(ids(a), '');
  t.ok(a.connected, 'events still travel');
});

t.test('a bucket with other settings is not used', { skip, timeout: 120_000 }, async (t) => {
  const { url, port } = await startNats(t);
  const operator = await connect({ port });
  t.teardown(() => operator.close());
  const manager = await jetstreamManager(operator);
  const logged: unknown[] = [];
  await manager.streams.add({ name: nodeStream, subjects: ['$KV.cochlea_nodes.>'], allow_direct: true });
  await open(t, url, { role: 'sidecar', name: 's' });
  const a = await open(t, url, { role: 'engine', name: 'a' }, keepingLogger(logged));
  await until(() => /has another .*a sidecar makes it again/.test(warnings(logged)));
  t.equal(ids(a), '');
  await manager.streams.delete(nodeStream);
  await until(() => ids(a) === 'a.0');
});
