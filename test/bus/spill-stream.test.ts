/**
 * Tests the stream of spilled entries: which process makes it, when it confirms an entry, and which entries a sidecar
 * reads and removes.
 */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import t from 'tap';
import { checkBus } from '../../src/bus/nats/check-bus.js';
import { StreamSpace } from '../../src/bus/nats/stream-space.js';
import { SubjectTurns } from '../../src/bus/nats/subject-turns.js';
import { openBus } from '../../src/bus/open-bus.js';
import type { Bus } from '../../src/bus/subjects/bus.js';
import { spillStream } from '../../src/bus/subjects/spill-subjects.js';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { createLogger } from '../../src/log/logger.js';
import { keepingLogger } from '../stt/service/line.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, startNats, startNatsCluster } from '../support/servers/nats.js';
import { until } from '../support/until.js';

const log = createLogger('bus', 'silent');
const skip = withoutNats;
const key = 'k'.repeat(32);
const journal = (shard: number) => `engine.${shard}.00000000-0000-4000-8000-000000000000`;
const bytes = (text: string) => new TextEncoder().encode(text);

const open = async (
  t: { teardown(action: () => unknown): unknown },
  url: string,
  role: 'engine' | 'sidecar',
  name: string,
  logger = log,
): Promise<Bus> => {
  const settings = busSettings({ NATS_URL: url, SPILL_KEY: key });
  const bus = (await openBus(settings, { role, name }, logger))!;
  t.teardown(() => bus.close());
  return bus;
};

t.test(
  'an engine adds copies, and a sidecar reads and removes them',
  { skip, timeout: 60_000 },
  async (t) => {
    const server = await startNats(t);
    const engine = await open(t, server.url, 'engine', 'a');
    const changes: boolean[] = [];
    engine.copies!.onReady((ready) => changes.push(ready));
    t.equal(engine.storedCopies, null);
    t.equal(await engine.copies!.store(journal(0), bytes('early')), undefined, 'nobody has made the stream');
    const sidecar = await open(t, server.url, 'sidecar', 's');
    t.equal(sidecar.copies, null);
    await until(() => engine.copies!.ready);
    const source = sidecar.storedCopies!;

    for (const text of ['one', 'two', 'three']) t.ok(await engine.copies!.store(journal(0), bytes(text)));
    t.ok(await engine.copies!.store(journal(1), bytes('other')));
    t.equal(await engine.copies!.store('no.journal', bytes('x')), undefined);
    const { value: largest } = fixedLimits.spillCopy;
    t.ok(await engine.copies!.store(journal(2), new Uint8Array(largest + 64)), 'the largest copy fits');

    const found = (await source.look())!;
    t.same(found.journals.map((one) => one.journal).sort(), [0, 1, 2].map(journal));
    const { subject } = found.journals.find((one) => one.journal === journal(0))!;
    t.equal(subject, `cochlea.engine.a.spill.${journal(0)}`);
    const texts = async () => {
      const read: string[] = [];
      for (
        let copy = await source.next(subject, 0);
        copy;
        copy = await source.next(subject, copy.sequence + 1)
      )
        read.push(Buffer.from(copy.bytes).toString());
      return read;
    };
    t.same(await texts(), ['one', 'two', 'three']);
    const last = (await source.last(subject))!;
    t.equal(Buffer.from(last.bytes).toString(), 'three');
    t.ok(last.sequence <= found.last);
    await source.removeBefore(subject, (await source.next(subject, 0))!.sequence + 1);
    t.same(await texts(), ['two', 'three']);
    await source.remove(last.sequence);
    t.same(await texts(), ['two']);
    await source.removeBefore(subject, last.sequence + 1);
    t.equal(await source.next(subject, 0), null);
    t.equal(await source.last(subject), null);

    await server.kill();
    await until(() => !engine.copies!.ready);
    t.equal(await engine.copies!.store(journal(0), bytes('away')), undefined);
    await server.start();
    await until(() => engine.copies!.ready);
    t.same(changes, [true, false, true]);
    await until(() => sidecar.connected);
    t.same(
      (await source.look())!.journals.map((one) => one.journal).sort(),
      [1, 2].map(journal),
      'copies survive',
    );
  },
);

t.test('a paused server does not confirm, and is used again later', { skip, timeout: 60_000 }, async (t) => {
  const server = await startNats(t);
  await open(t, server.url, 'sidecar', 's');
  const { copies } = await open(t, server.url, 'engine', 'a');
  await until(() => copies!.ready);
  server.pause();
  // The server may still confirm a copy before the signal stops it.
  await until(async () => !(await copies!.store(journal(0), bytes('lost'))));
  t.equal(copies!.ready, false, 'further copies do not wait');
  server.resume();
  await until(() => copies!.ready);
  t.ok(await copies!.store(journal(0), bytes('kept')));
});

t.test('the stream is bounded, and other settings are refused', { skip, timeout: 60_000 }, async (t) => {
  const { url, port } = await startNats(t);
  const logged: unknown[] = [];
  await open(t, url, 'sidecar', 's', keepingLogger(logged));
  const { copies } = await open(t, url, 'engine', 'a');
  await until(() => copies!.ready);
  const operator = await connect({ port });
  t.teardown(() => operator.close());
  const manager = await jetstreamManager(operator);
  const { config } = await manager.streams.info(spillStream);
  t.equal(config.max_age, nanos(fixedLimits.spillCopiesAge.value));
  t.equal(config.max_bytes, fixedLimits.spillCopiesSize.value);
  t.equal(config.max_msgs, fixedLimits.spillCopiesCount.value);
  t.match(config, { storage: 'file', discard: 'new', num_replicas: 1, allow_direct: false });

  // Makes the stream small, so that a few copies fill it. A full stream refuses further copies, and keeps those that it
  // has.
  await manager.streams.update(spillStream, { max_bytes: 4096 });
  for (let copy = 0; await copies!.store(journal(0), new Uint8Array(1000)); copy++) t.ok(copy < 5);
  const { state } = await manager.streams.info(spillStream);
  t.ok(state.messages >= 3);
  t.equal(copies!.ready, false, 'a full stream does not count');
  await manager.streams.update(spillStream, { max_bytes: fixedLimits.spillCopiesSize.value });
  await until(() => copies!.ready);

  await manager.streams.delete(spillStream);
  await manager.streams.add({
    name: spillStream,
    subjects: ['cochlea.engine.*.spill.>'],
    allow_direct: true,
  });
  t.ok(await copies!.store(journal(0), bytes('x')), 'the library cannot see the settings of an answer');
  const settings = busSettings({ NATS_URL: url, SPILL_KEY: key });
  await t.rejects(checkBus(settings), {
    code: 'bus_unfit',
    message: /stream cochlea_spill has another "subjects"/,
  });
  const fresh = await open(t, url, 'engine', 'b', keepingLogger(logged));
  await until(() => /does not confirm/.test(JSON.stringify(logged)));
  t.equal(fresh.copies!.ready, false);
});

t.test('a nearly full stream is used again when much of it is free', { skip, timeout: 60_000 }, async (t) => {
  const { url, port } = await startNats(t);
  const sidecar = await open(t, url, 'sidecar', 's');
  const first = await open(t, url, 'engine', 'a');
  await until(() => first.copies!.ready);
  const operator = await connect({ port });
  t.teardown(() => operator.close());
  const manager = await jetstreamManager(operator);
  const changes: boolean[] = [];
  const subject = `cochlea.engine.a.spill.${journal(0)}`;
  /** Fills the stream to a number of its 100 messages. */
  const fillTo = async (wanted: number) => {
    const { messages } = (await manager.streams.info(spillStream)).state;
    for (let message = messages; message < wanted; message++) operator.publish(subject, 'x');
    await until(async () => (await manager.streams.info(spillStream)).state.messages >= wanted);
  };
  await manager.streams.update(spillStream, { max_msgs: 100 });
  await fillTo(100);
  first.copies!.onReady((ready) => changes.push(ready));
  t.equal(await first.copies!.store(journal(0), bytes('refused')), undefined);
  t.same(changes, [false]);
  // A little free space lets a new engine use the stream, but not the engine that has seen the full stream.
  await sidecar.storedCopies!.removeBefore(subject, (await sidecar.storedCopies!.oldest())!.sequence + 10);
  const { last_seq: seen } = (await manager.streams.info(spillStream)).state;
  const fresh = await open(t, url, 'engine', 'b');
  await until(() => fresh.copies!.ready, 'another engine has not seen a full stream');
  t.equal(first.copies!.ready, false);
  await until(async () => (await manager.streams.info(spillStream)).state.last_seq > seen);
  await manager.streams.purge(spillStream, { keep: 79 });
  await until(() => first.copies!.ready);
  t.same(changes, [false, true]);
});

t.test('shares of the stream decide whether it is used', async (t) => {
  const cases: readonly [step: number | 'refused', full: boolean][] = [
    [0.94, false],
    [0.95, true],
    [0.8, true],
    [0.79, false],
    [0.9, false],
    ['refused', true],
    [0.8, true],
    [0, false],
  ];
  const space = new StreamSpace();
  for (const [step, full] of cases) {
    if (step === 'refused') space.refused();
    else t.equal(space.isFull(step), full, `${step}`);
  }
});

t.test('engines have turns in a list of subjects', async (t) => {
  const subjects = (engine: string, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `cochlea.engine.${engine}.spill.x.${String(at).padStart(5, '0')}`,
    );
  const turns = new SubjectTurns(32);
  const all = [...subjects('flood', 1000), ...subjects('other', 32)];
  const seen = new Set<string>();
  for (let round = 0; round < 32; round++) {
    const { chosen, isWhole } = turns.choose(all, 0);
    t.equal(chosen.length, 64);
    t.equal(isWhole, false);
    t.equal(
      chosen.filter((subject) => subject.includes('.other.')).length,
      32,
      'each round has all of the other',
    );
    for (const subject of chosen) seen.add(subject);
  }
  t.equal(seen.size, 1032, 'each subject has its turn');
  t.same(turns.choose(subjects('other', 3), 0), { chosen: subjects('other', 3), isWhole: true });
  for (let page = 0; page < 5000; page++) turns.choose(subjects('flood', 33), page);
  t.equal(turns.remembered, 1000, 'few places are remembered');
});

t.test('a sidecar removes canaries', { skip, timeout: 60_000 }, async (t) => {
  const { url, port } = await startNats(t);
  const sidecar = await open(t, url, 'sidecar', 's');
  const { copies } = await open(t, url, 'engine', 'a');
  await until(() => copies!.ready);
  t.ok(await copies!.store(journal(0), bytes('one')));
  const operator = await connect({ port });
  t.teardown(() => operator.close());
  const manager = await jetstreamManager(operator);
  const count = async () => (await manager.streams.info(spillStream)).state.messages;
  for (let canary = 0; canary < 40; canary++) operator.publish('cochlea.engine.b.canary.0', 'canary');
  await until(async () => (await count()) === 42);
  t.equal((await sidecar.storedCopies!.look())!.journals.length, 1);
  t.equal(await count(), 1, 'the copy stays');
});

t.test('without SPILL_KEY there are no copies', { skip, timeout: 60_000 }, async (t) => {
  const { url } = await startNats(t);
  for (const role of ['engine', 'sidecar'] as const) {
    const bus = (await openBus(busSettings({ NATS_URL: url }), { role, name: 'a' }, log))!;
    t.teardown(() => bus.close());
    t.equal(bus.copies, null);
    t.equal(bus.storedCopies, null);
  }
});

t.test(
  'a cluster has three copies, and confirms without one of its servers',
  { skip, timeout: 120_000 },
  async (t) => {
    const servers = await startNatsCluster(t);
    const url = servers.map((server) => server.url).join(',');
    const sidecar = await open(t, url, 'sidecar', 's');
    const { copies } = await open(t, url, 'engine', 'a');
    await until(() => copies!.ready);
    t.match(
      await checkBus(busSettings({ NATS_URL: url, SPILL_KEY: key })),
      /stream cochlea_spill has 3 copies/,
    );
    await servers[1]!.kill();
    await until(async () => copies!.ready && (await copies!.store(journal(0), bytes('one'))));
    await until(async () => (await sidecar.storedCopies!.look().catch(() => null))?.journals.length === 1);
    t.pass('two servers are enough');
  },
);
