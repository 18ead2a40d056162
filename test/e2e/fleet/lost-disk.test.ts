/**
 * While PostgreSQL is away, an engine is killed and its disk is lost. With the bus, another machine stores all words
 * that were acknowledged. Without the bus, these words are lost, which shows the purpose of the stream of spilled
 * entries.
 *
 * `LOST_DISK_ROUNDS` repeats the test, and `LOST_DISK_SECONDS` lengthens the outage (docs/development.md).
 */
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import type { Wearable } from '../../../src/app/wearable/wearable.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { startProxy } from '../../journal/proxy.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { testSecret } from '../../support/issuer-secret.js';
import { withoutNats } from '../../support/servers/find-nats.js';
import { startNats } from '../../support/servers/nats.js';
import { descendants, metric, type Service, startService } from '../../support/service.js';
import { until } from '../../support/until.js';

const rounds = Number(process.env.LOST_DISK_ROUNDS ?? 1);
const seconds = Number(process.env.LOST_DISK_SECONDS ?? 0);
const devices = 3;

/** A device that transcribes its own speech, and the words that the engine has acknowledged. */
interface Device {
  readonly stream: Wearable;
  readonly acknowledged: Set<string>;
  said: number;
}

const openDevice = async (service: Service, uid: string): Promise<Device> => {
  const acknowledged = new Set<string>();
  const stream = await service.wearable(
    await service.user(uid),
    {
      codec: 'pcm8',
      rate: 8000,
      source: 'phone',
      conversationTimeout: 3600,
      query: { custom_stt: 'enabled' },
    },
    {
      segments: (segments) => {
        for (const { text } of segments) for (const word of text.split(' ')) acknowledged.add(word);
      },
    },
  );
  await stream.waitFor((event) => event.status === 'ready', 60_000);
  return { stream, acknowledged, said: 0 };
};

const say = (device: Device, name: string): string => {
  const start = ++device.said;
  const text = `${name}-${start}`;
  const segments = [{ text, start, end: start + 0.5, speaker: 'SPEAKER_00' }];
  device.stream.sendText(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
  return text;
};

/**
 * Stops the database, speaks on a machine, kills the machine and deletes its disk. Then the database is back.
 * @returns the acknowledged words, the numbers of words that the bus and the lost disk confirmed, and the machine that
 * remains. `words` reads the stored words.
 */
const loseDisk = async (t: { teardown(action: () => unknown): unknown }, bus: boolean) => {
  const direct = await testDatabaseUrl(t);
  const sql = connectDatabase(direct, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const proxy = await startProxy(direct);
  t.teardown(() => proxy.close());
  const shared = {
    COCHLEA_STT: 'discard',
    DATABASE_URL: proxy.url,
    ISSUER_SECRET: testSecret,
    LEASE_DURATION: '3000',
    DATABASE_TIMEOUT: '1000',
    ...(bus && { NATS_URL: (await startNats(t)).url, SPILL_KEY: 'k'.repeat(32) }),
  };
  const start = () => startService(t, shared, async () => undefined);
  const [lost, other] = [await start(), await start()];
  const stored = await Promise.all(
    Array.from({ length: devices }, (_, index) => openDevice(lost, `device${index}`)),
  );
  if (bus) await until(async () => (await metric(lost, 'spill_copies_ready')) === 1);
  const speak = (): Promise<unknown> =>
    Promise.all(
      stored.map((device, index) => {
        const word = say(device, `device${index}`);
        return until(() => device.acknowledged.has(word), word);
      }),
    );
  await speak();
  proxy.mode = 'refused';
  for (let word = 0; word < 5; word++) {
    await speak();
    await pause((1000 * seconds) / 5);
  }
  const [onBus, onDisk] = [
    await metric(lost, 'acknowledged_total{durability="stream"}'),
    await metric(lost, 'acknowledged_total{durability="disk"}'),
  ];
  for (const { pid } of descendants(lost.pid)) process.kill(pid, 'SIGKILL');
  await rm(lost.dataDir, { recursive: true, force: true });
  proxy.mode = 'open';
  const words = async () =>
    (await sql<{ text: string }[]>`select text from segments where not deleted`).flatMap(({ text }) =>
      text.split(' '),
    );
  const acknowledged = stored.flatMap((device) => [...device.acknowledged]);
  return { acknowledged, words, onBus, onDisk, other };
};

const wrong = (acknowledged: readonly string[], words: readonly string[]): string[] =>
  acknowledged.filter((word) => words.filter((other) => other === word).length !== 1);

const timeout = 120_000 + rounds * (seconds + 180) * 1000;
t.test('with the bus, no acknowledged word is lost', { skip: withoutNats, timeout }, async (t) => {
  for (let round = 1; round <= rounds; round++) {
    await t.test(`round ${round}`, async (t) => {
      const { acknowledged, words, onBus, onDisk } = await loseDisk(t, true);
      t.ok(onBus > 0);
      t.equal(onDisk, 0, 'every word was acknowledged by the stream');
      await until(async () => wrong(acknowledged, await words()).length === 0);
      t.same(wrong(acknowledged, await words()), [], `${acknowledged.length} words are stored once`);
    });
  }
});

t.test('without the bus, the words are lost with the disk', { timeout: 300_000 }, async (t) => {
  const { acknowledged, words, onBus, onDisk, other } = await loseDisk(t, false);
  t.equal(onBus, 0);
  t.ok(onDisk > 0);
  // Waits until the other machine stores new words. Then it has noticed that the database is back.
  const device = await openDevice(other, 'later');
  const word = say(device, 'later');
  await until(async () => (await words()).includes(word));
  t.equal(wrong(acknowledged, await words()).length, 5 * devices, 'all words of the outage are missing');
});
