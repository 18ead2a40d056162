/**
 * A fleet on one machine for tests: journals that copy their spill to a real stream, and a replay of these copies to
 * the database.
 */
import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { openBus } from '../../../src/bus/open-bus.js';
import { openCopyChannel, startCopyFeed } from '../../../src/journal/copies/copy-channel.js';
import { CopyReplay } from '../../../src/journal/copy-replay.js';
import type { Lease } from '../../../src/journal/journal.js';
import type { JournalOptions } from '../../../src/journal/options.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import type { Sql } from '../../../src/store/client/database.js';
import type { BegunConversation, SpilledChange } from '../../../src/wire/spill/spill.js';
import { testDatabase } from '../../support/database/database.js';
import { busSettings, type NatsOptions, startNats } from '../../support/servers/nats.js';
import { until } from '../../support/until.js';
import { change, proxiedJournal, segment, startOfTime, stored } from '../support.js';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/** Returns the initial values of a spilled conversation. `values` replaces some of them. */
export const spilledConversation = (values: Partial<BegunConversation> = {}): BegunConversation => ({
  id: '00000000-0000-4000-8000-000000000001',
  uid: 'ada',
  source: 'omi',
  deviceId: null,
  clientPlatform: null,
  language: 'en',
  timeout: 120,
  usesCustomStt: false,
  createdAt: startOfTime,
  ...values,
});

/** A spilled change with one segment, whose id is `id`. */
export const spilledChange = (
  conversation: BegunConversation,
  { id, text = id, position }: { readonly id: string; readonly text?: string; readonly position: number },
  more: Partial<SpilledChange> = {},
): SpilledChange => ({
  conversation,
  epoch: 1,
  startedAt: startOfTime,
  lastSpeechAt: startOfTime,
  speechProbability: null,
  spoken: null,
  rows: [{ id, position, revision: 1, segment: segment(id, text) }],
  ...more,
});

export const spillKey = 'k'.repeat(32);
const log = createLogger('test', process.env.TEST_LOG ?? 'silent');

/** Opens the bus of an engine and serves the copies of its shard 0. @returns options of a journal, and the bus. */
export const copyingEngine = async (t: Teardown, url: string, required = false, secret = spillKey) => {
  const engineId = `engine-${randomUUID().slice(0, 8)}`;
  const settings = busSettings({ NATS_URL: url, SPILL_KEY: secret });
  const bus = (await openBus(settings, { role: 'engine', name: engineId }, log))!;
  const metrics = new MetricsTable(1).row(0);
  const feed = startCopyFeed(engineId, 1, bus.copies!, metrics);
  const channel = openCopyChannel(engineId, 0);
  t.teardown(async () => {
    feed.close();
    await bus.close();
  });
  const options: Partial<JournalOptions> = { engineId, copies: { channel, secret, required } };
  return { url, options, bus, feed, metrics, ready: () => until(() => channel.ready) };
};

/** Starts a NATS server, and the bus of a sidecar, which makes the stream. */
export const startCopies = async (t: Teardown, options: NatsOptions = {}) => {
  const server = await startNats(t, options);
  const settings = busSettings({ NATS_URL: server.url, SPILL_KEY: spillKey });
  const bus = (await openBus(settings, { role: 'sidecar', name: 's' }, log))!;
  t.teardown(() => bus.close());
  const source = bus.storedCopies!;
  await until(async () => (await source.look().catch(() => null)) !== null);
  return { server, source };
};

/** Opens the replay of a sidecar. */
export const openReplay = (
  sql: Sql,
  source: ConstructorParameters<typeof CopyReplay>[0]['source'],
  spillDir: string,
  changes: { secret?: string; log?: typeof log } = {},
) =>
  new CopyReplay({
    sql,
    source,
    secret: spillKey,
    spillDir,
    log,
    metrics: new MetricsTable(1).row(0),
    ...changes,
  });

/** Lets the leases of all journals expire, as if the journals had ended long ago. */
export const expireLeases = (sql: Sql) =>
  sql`update engine_leases set expires_at = now() - interval '1 minute'`;

/** Starts a database, a NATS server with the stream, and opens journals that copy their spill. */
export const startCopiedFleet = async (t: Test, options: NatsOptions = {}) => {
  const { url, sql } = await testDatabase(t);
  const { server, source } = await startCopies(t, options);
  const replay = openReplay(sql, source, t.testdir());
  /** Waits until the stream answers, and returns the number of journals with copies. */
  const waiting = async () => {
    const found = await until(() => source.look().catch(() => null));
    return found.journals.length;
  };
  /** Opens a journal whose database can be cut off, and which copies its spill. */
  const copied = async (t: Test, { required = false, secret = spillKey } = {}) => {
    const engine = await copyingEngine(t, server.url, required, secret);
    const opened = await proxiedJournal(t, url, { ...engine.options, leaseDuration: 60_000 });
    await engine.ready();
    await waiting();
    const acknowledged = () =>
      Object.fromEntries(
        (['database', 'stream', 'disk'] as const).map((place) => [
          place,
          opened.metrics.get(`acknowledged_total{durability="${place}"}`),
        ]),
      );
    const say = (lease: Lease, id: string, text: string, position = 0) =>
      opened.journal.commit([change(lease, [stored(id, text, position)])]);
    return { ...opened, engine, acknowledged, say };
  };
  /** Ends a journal in such a way that other processes see the same as after a kill and the loss of its disk. */
  const lose = async ({ journal, proxy }: Pick<Awaited<ReturnType<typeof copied>>, 'journal' | 'proxy'>) => {
    proxy.mode = 'refused';
    await journal.close(0);
    await expireLeases(sql);
  };
  return { url, sql, server, source, replay, waiting, copied, lose };
};
