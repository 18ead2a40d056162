/**
 * Tests that a journal copies its spill to the stream in order, repeats copies after a failure, and stays within its
 * limits.
 */
import { mock } from 'node:test';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { Acknowledger } from '../../../src/journal/copies/acknowledger.js';
import { createOpener } from '../../../src/journal/copies/seal.js';
import { SpillCopier } from '../../../src/journal/copies/spill-copier.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import {
  decodeSpillEntry,
  encodeSpillEntry,
  type SpillEntry,
  type SpilledChange,
} from '../../../src/wire/spill/spill.js';
import { segment } from '../support.js';
import { spilledConversation } from './support.js';

const secret = 's'.repeat(32);
const holder = 'engine/0/00000000-0000-4000-8000-000000000000';
const journal = holder.replaceAll('/', '.');
const open = createOpener(secret, journal);
const metricsRow = () => new MetricsTable(1).row(0);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A stream in memory. The test decides when it confirms copies. */
class StubBus {
  ready = true;
  /** Whether copies are confirmed at once. */
  confirms = true;
  readonly stored: string[] = [];
  readonly waiting: ((stored: boolean) => void)[] = [];
  /** Sequence numbers that the markers named. */
  readonly covered: number[] = [];
  readonly #listeners: ((ready: boolean) => void)[] = [];
  readonly refused: boolean[] = [];

  onReady(listener: (ready: boolean) => void): void {
    this.#listeners.push(listener);
  }

  async store(name: string, copy: Uint8Array): Promise<number | undefined> {
    if (name !== journal) throw new Error(name);
    const opened = open(copy);
    const sequence = this.stored.push(
      opened.kind === 'entry' ? idOf(decodeSpillEntry(opened.bytes)) : opened.kind,
    );
    if (opened.kind === 'marker') this.covered.push(opened.covers);
    const confirmed = this.confirms || (await new Promise((resolve) => this.waiting.push(resolve)));
    return confirmed ? sequence : undefined;
  }

  change(ready: boolean): void {
    this.ready = ready;
    for (const listener of this.#listeners) listener(ready);
  }

  refusing(refuses: boolean): void {
    this.refused.push(refuses);
  }

  close(): void {}
}

const idOf = (entry: SpillEntry): string =>
  entry.kind === 'commit' ? entry.changes.map(({ epoch }) => epoch).join() : entry.kind;

const change = (epoch: number, text: string): SpilledChange => ({
  conversation: spilledConversation({ id: 'c', createdAt: 1 }),
  epoch,
  startedAt: 1,
  lastSpeechAt: 1,
  speechProbability: null,
  spoken: null,
  rows: [{ id: 's', position: 0, revision: 1, segment: segment('s', text) }],
});

/** A spill in memory. Its first key is 1. */
class StubSpill {
  readonly entries = new Map<number, Uint8Array>();
  #next = 1;

  add(...changes: readonly SpilledChange[]): number {
    this.entries.set(this.#next, encodeSpillEntry({ kind: 'commit', changes }));
    return this.#next++;
  }

  read(from: number, limit: number) {
    return [...this.entries]
      .filter(([key]) => key >= from)
      .slice(0, limit)
      .map(([key, bytes]) => ({ key, bytes }));
  }
}

const copying = () => {
  const bus = new StubBus();
  const metrics = metricsRow();
  const copier = new SpillCopier({ journal, secret, bus, metrics });
  const spill = new StubSpill();
  copier.follow(spill);
  return { bus, metrics, copier, spill };
};

t.test('entries are copied in order, and again after a failure', async (t) => {
  const { bus, copier, spill } = copying();
  for (const epoch of [1, 2, 3]) spill.add(change(epoch, 'words'));
  copier.appended();
  t.equal(await copier.copied(3, 1000, false), true);
  t.same(bus.stored, ['1', '2', '3']);

  bus.confirms = false;
  for (const epoch of [4, 5]) spill.add(change(epoch, 'words'));
  copier.appended();
  const waiting = copier.copied(5, 60_000, false);
  bus.change(false);
  t.equal(await waiting, false, 'nobody waits for a stream that does not confirm');
  t.equal(await copier.copied(5, 60_000, false), false);
  for (const resolve of bus.waiting) resolve(false);
  await turn();
  bus.confirms = true;
  spill.add(change(6, 'words'));
  copier.appended();
  t.same(bus.stored, ['1', '2', '3', '4', '5'], 'nothing is sent meanwhile');
  const patient = copier.copied(6, 60_000, true);
  bus.change(true);
  t.equal(await patient, true);
  t.same(
    bus.stored,
    ['1', '2', '3', '4', '5', '4', '5', '6'],
    'those without confirmation come again, in order',
  );
});

t.test('a late confirmation of an earlier attempt does not count', async (t) => {
  const { bus, copier, spill } = copying();
  bus.confirms = false;
  for (const epoch of [1, 2]) spill.add(change(epoch, 'words'));
  copier.appended();
  const [first, second] = bus.waiting;
  first!(false);
  await turn();
  second!(true);
  await turn();
  t.equal(await copier.copied(2, 1, true), false);
  for (const resolve of bus.waiting.slice(2)) resolve(true);
  t.equal(await copier.copied(2, 60_000, true), true);
});

t.test('the database tells the stream what it has', async (t) => {
  const { bus, copier, spill } = copying();
  bus.change(false);
  spill.add(change(1, 'words'));
  copier.appended();
  const waiting = copier.copied(1, 60_000, true);
  copier.replayed();
  t.equal(await waiting, true, 'the database has the entry');
  bus.change(true);
  t.same(bus.stored, [], 'nothing was copied, so nothing is marked');

  copier.follow(spill);
  copier.appended();
  await turn();
  bus.confirms = false;
  copier.replayed();
  await turn();
  bus.change(false);
  bus.waiting[0]!(false);
  await turn();
  bus.confirms = true;
  bus.change(true);
  await turn();
  t.same(bus.stored, ['1', 'marker', 'marker', 'marker'], 'the marker is sent until it is confirmed');
  t.same(bus.covered, [0, 0, 3], 'the last marker covers the marker without confirmation');
  bus.change(true);
  await turn();
  t.equal(bus.stored.length, 4);
});

t.test('markers cover copies without confirmation', async (t) => {
  const { bus, copier, spill } = copying();
  for (const epoch of [1, 2]) spill.add(change(epoch, 'words'));
  copier.appended();
  await turn();
  copier.replayed();
  await turn();
  t.same(bus.covered, [0, 3]);

  bus.confirms = false;
  copier.follow(spill);
  copier.appended();
  bus.change(false);
  for (const resolve of bus.waiting.splice(0)) resolve(false);
  await turn();
  bus.confirms = true;
  copier.replayed();
  bus.change(true);
  await turn();
  t.same(bus.stored.slice(4), ['1', '2', 'marker', 'marker']);
  t.same(bus.covered.slice(2), [0, 7], 'the second marker covers the copies without confirmation');
});

t.test('markers cover copies that are confirmed after the database has their entries', async (t) => {
  const { bus, copier, spill } = copying();
  bus.confirms = false;
  spill.add(change(1, 'words'));
  copier.appended();
  bus.confirms = true;
  copier.replayed();
  await turn();
  for (const resolve of bus.waiting) resolve(true);
  await turn();
  t.same(bus.stored, ['1', 'marker', 'marker']);
  t.same(bus.covered, [0, 2]);
});

t.test('copies of a new spill are not covered by the markers of an earlier one', async (t) => {
  const { bus, copier, spill } = copying();
  spill.add(change(1, 'words'));
  copier.appended();
  await turn();
  bus.confirms = false;
  copier.replayed();
  copier.follow(spill);
  copier.appended();
  for (const resolve of bus.waiting.splice(0)) resolve(true);
  await turn();
  t.same(bus.covered, [0], 'the second marker waits until the database has the new entries, too');
  bus.confirms = true;
  copier.replayed();
  await turn();
  t.same(bus.covered, [0, 0, 4]);
});

t.test('entries that were replayed meanwhile are skipped', async (t) => {
  const { bus, copier, spill } = copying();
  for (const epoch of [1, 2, 3]) spill.add(change(epoch, 'words'));
  spill.entries.delete(1);
  spill.entries.delete(2);
  copier.appended();
  t.equal(await copier.copied(3, 1000, false), true);
  t.same(bus.stored, ['3']);
});

t.test('a large entry is split, and a large change stays on the disk', async (t) => {
  const { bus, copier, spill, metrics } = copying();
  const { value: largest } = fixedLimits.spillCopy;
  const half = 'x'.repeat(largest - 1000);
  const split = spill.add(change(1, half), change(2, half));
  const large = spill.add(change(3, 'x'.repeat(largest)), change(4, 'words'));
  const after = spill.add(change(5, 'words'));
  copier.appended();
  t.equal(await copier.copied(split, 1000, false), true);
  t.equal(await copier.copied(after, 1000, false), true);
  t.equal(await copier.copied(large, 1000, true), false);
  t.same(bus.stored, ['1', '2', '4', '5']);
  t.equal(metrics.get('spill_copies_too_large_total'), 1);
});

t.test('a large change of one conversation is split between its segments', async (t) => {
  const { bus, copier, spill, metrics } = copying();
  const third = 'x'.repeat(fixedLimits.spillCopy.value / 3);
  const rows = ['a', 'b', 'c', 'd'].map((id, position) => ({
    id,
    position,
    revision: 1,
    segment: segment(id, third),
  }));
  const copies: string[] = [];
  const store = bus.store.bind(bus);
  bus.store = async (name, copy) => {
    const opened = open(copy);
    const entry = opened.kind === 'entry' ? decodeSpillEntry(opened.bytes) : undefined;
    if (entry?.kind === 'commit')
      copies.push(entry.changes.flatMap((one) => one.rows.map(({ id }) => id)).join());
    return store(name, copy);
  };
  const key = spill.add({ ...change(1, ''), rows });
  copier.appended();
  t.equal(await copier.copied(key, 1000, true), true);
  t.same(copies, ['a,b', 'c,d']);
  t.equal(metrics.get('spill_copies_too_large_total'), 0);
});

t.test('few copies are under way at once', async (t) => {
  const { bus, copier, spill } = copying();
  bus.confirms = false;
  const { value: most } = fixedLimits.spillUnconfirmed;
  const bytes = 262_144;
  for (let epoch = 0; epoch < 100; epoch++) spill.add(change(epoch, 'x'.repeat(bytes)));
  copier.appended();
  t.equal(bus.waiting.length, most / bytes);
  for (let at = 0; at < bus.waiting.length; at++) {
    bus.waiting[at]!(true);
    await turn();
    t.ok(bus.waiting.length - at - 1 <= most / bytes);
  }
  t.equal(bus.stored.length, 100);
});

const acknowledging = (required: boolean) => {
  const bus = new StubBus();
  const metrics = metricsRow();
  const log = createLogger('test', 'silent');
  const copies = { channel: bus, secret, required };
  const acknowledger = new Acknowledger({ holder, copies, log, metrics });
  const spill = new StubSpill();
  acknowledger.follow(spill);
  const counted = () =>
    ['database', 'stream', 'disk'].map((place) =>
      metrics.get(`acknowledged_total{durability="${place as 'disk'}"}`),
    );
  const say = (text = 'words'): Promise<string> => {
    acknowledger.checkWords();
    const key = spill.add(change(1, text));
    acknowledger.appended();
    return acknowledger.spilled(key, 1).then(
      () => 'acknowledged',
      (error: { code: string }) => error.code,
    );
  };
  return { bus, acknowledger, counted, say };
};

t.test('words wait for the stream for a limited time, then the disk counts', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { bus, acknowledger, counted, say } = acknowledging(false);
  t.equal(await say(), 'acknowledged');
  t.same(counted(), [0, 1, 0]);
  bus.confirms = false;
  const waiting = say();
  mock.timers.tick(fixedLimits.spillConfirmation.value - 1);
  await turn();
  t.same(counted(), [0, 1, 0]);
  mock.timers.tick(1);
  t.equal(await waiting, 'acknowledged');
  t.same(counted(), [0, 1, 1]);
  bus.change(false);
  t.equal(await say(), 'acknowledged', 'at once');
  t.same(counted(), [0, 1, 2]);
  acknowledger.stored(2);
  t.same(counted(), [2, 1, 2]);
});

t.test('with MIN_DURABILITY=stream, the disk alone is refused', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { bus, counted, say, acknowledger } = acknowledging(true);
  bus.change(false);
  const late = say();
  await turn();
  bus.change(true);
  t.equal(await late, 'acknowledged', 'it waits for a stream that is away');
  bus.change(false);
  const waiting = say();
  mock.timers.tick(fixedLimits.durabilityWait.value - 1);
  await turn();
  t.same(bus.refused, []);
  mock.timers.tick(1);
  t.equal(await waiting, 'durability_unmet');
  t.same(counted(), [0, 1, 0], 'it is not acknowledged');
  t.same(bus.refused, [true]);
  t.throws(
    () => acknowledger.checkWords(),
    { code: 'durability_unmet' },
    'further words are refused at once',
  );
  bus.change(true);
  t.same(bus.refused, [true, false]);
  t.equal(await say(), 'acknowledged');
  bus.change(false);
  const again = say();
  mock.timers.tick(fixedLimits.durabilityWait.value);
  t.equal(await again, 'durability_unmet');
  acknowledger.replayed();
  t.same(bus.refused, [true, false, true, false], 'the database is enough');
});

t.test('a stream that stays ready, but was slow, ends the refusal when it has caught up', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { bus, say, acknowledger } = acknowledging(true);
  bus.confirms = false;
  const words = [say(), say()];
  mock.timers.tick(fixedLimits.durabilityWait.value);
  t.same(await Promise.all(words), ['durability_unmet', 'durability_unmet']);
  t.same(bus.refused, [true]);
  bus.waiting[0]!(true);
  await turn();
  t.same(bus.refused, [true], 'the newest refused words are not in the stream');
  bus.waiting[1]!(true);
  await turn();
  t.same(bus.refused, [true, false]);
  t.doesNotThrow(() => acknowledger.checkWords());
  bus.confirms = true;
  t.equal(await say(), 'acknowledged');
});

t.test('words that are too large for a copy do not refuse those of others', async (t) => {
  const { bus, say } = acknowledging(true);
  t.equal(await say('x'.repeat(fixedLimits.spillCopy.value)), 'durability_unmet');
  t.same(bus.refused, []);
  t.equal(await say(), 'acknowledged');
});

t.test('without copies, words are on the disk', async (t) => {
  const metrics = metricsRow();
  const acknowledger = new Acknowledger({ holder, log: createLogger('test', 'silent'), metrics });
  acknowledger.follow(new StubSpill());
  await acknowledger.spilled(1, 3);
  t.equal(metrics.get('acknowledged_total{durability="disk"}'), 3);
});
