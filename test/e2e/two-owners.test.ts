/** Two sockets of one user, source and device on two engines with one database, without a bus. */
import { performance } from 'node:perf_hooks';
import t from 'tap';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { testDatabaseUrl } from '../support/database/database.js';
import { type Service, startService, type User } from '../support/service.js';
import { until } from '../support/until.js';

/** A device that transcribes itself, so that each of its words is known. */
class Device {
  readonly said: string[] = [];
  readonly closes: { readonly code: number; readonly reason: string }[] = [];
  readonly #wearables: Wearable[] = [];

  constructor(
    private readonly service: Service,
    private readonly user: User,
    private readonly name: string,
  ) {}

  get #wearable(): Wearable | undefined {
    return this.#wearables.at(-1);
  }

  /** The words that the engine sent back, so they must be stored. */
  get confirmed(): string[] {
    return this.#wearables.flatMap(({ transcript }) => transcript.text.split(/\s+/)).filter(Boolean);
  }

  get isOpen(): boolean {
    return this.#wearable?.isClosed === false;
  }

  async connect(): Promise<void> {
    const options = { codec: 'pcm8', rate: 8000, source: 'phone', query: { custom_stt: 'enabled' } } as const;
    const wearable = await this.service.wearable(this.user, options);
    void wearable.closed.then((close) => this.closes.push(close));
    this.#wearables.push(wearable);
    await Promise.race([wearable.waitFor((event) => event.status === 'ready', 60_000), wearable.closed]);
  }

  say(): void {
    const text = `${this.name}${this.said.length}`;
    this.said.push(text);
    const start = performance.now() / 1000;
    const segments = [{ text, start, end: start + 0.5, speaker: 'SPEAKER_00' }];
    this.#wearable!.sendText(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
  }

  close(): Promise<unknown> {
    return Promise.resolve(this.#wearable?.close());
  }
}

t.test('two engines and one key', { timeout: 400_000 }, async (t) => {
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const env = { COCHLEA_STT: 'discard', DATABASE_URL: url };
  // One after the other, because both would migrate the database.
  const services = [
    await startService(t, env, async () => undefined),
    await startService(t, env, async () => undefined),
  ] as const;
  const pair = async (uid: string) => {
    const user = await services[0].user(uid);
    const older = new Device(services[0], user, 'older');
    const newer = new Device(services[1], user, 'newer');
    const epochs = async (): Promise<string> => {
      const rows = await sql`select id, epoch from conversations where uid = ${uid} order by id`;
      return JSON.stringify(rows);
    };
    const words = async (): Promise<string[]> => {
      const rows = await sql<{ text: string }[]>`
        select s.text from segments s join conversations c on c.id = s.conversation_id
        where c.uid = ${uid} and not s.deleted order by s.position`;
      return rows.flatMap(({ text }) => text.split(' '));
    };
    const said = (): string[] => [...older.said, ...newer.said].sort();
    const allStored = () =>
      until(async () => (await words()).length >= said().length, 'all words are stored');
    await older.connect();
    older.say();
    await allStored();
    await newer.connect();
    return { older, newer, epochs, words, said, allStored };
  };

  await t.test('the older stream stores its words and closes, and the newer one goes on', async (t) => {
    const { older, newer, epochs, words, said, allStored } = await pair('ann');
    const before = await epochs();
    const began = performance.now();
    older.say();
    await until(() => older.closes.length > 0);
    t.comment(`one owner after ${(performance.now() - began).toFixed(0)} ms`);
    t.match(older.closes, [{ code: 1012, reason: 'stream_replaced' }]);
    newer.say();
    await allStored();
    t.same((await words()).sort(), said(), 'each word once');
    t.ok(newer.isOpen);
    t.equal(await epochs(), before, 'no epoch was raised, and no conversation added');
    await newer.close();
  });

  await t.test('two devices that reconnect at once do not take turns faster than allowed', async (t) => {
    const { older, newer, epochs, words } = await pair('bob');
    const seen = new Set([await epochs()]);
    const rounds = 50;
    const began = performance.now();
    for (let round = 0; round < rounds; round++) {
      for (const device of [older, newer]) {
        if (!device.isOpen) await device.connect();
        if (device.isOpen) device.say();
      }
      await until(async () => {
        seen.add(await epochs());
        return performance.now() - began > 1200 * (round + 1);
      });
    }
    t.comment(`epochs raised in 60 s: ${seen.size - 1}`);
    t.ok(seen.size - 1 <= 3, `${seen.size - 1}`);
    // A text that crosses the close of its stream is not read. All others are stored.
    const last = newer.said.at(-1)!;
    await until(async () => (await words()).includes(last));
    const stored = await words();
    t.equal(new Set(stored).size, stored.length, 'no word twice');
    const confirmed = [...older.confirmed, ...newer.confirmed];
    t.ok(
      confirmed.length > rounds / 2,
      `${confirmed.length} of ${older.said.length + newer.said.length} words`,
    );
    t.same(
      confirmed.filter((word) => !stored.includes(word)),
      [],
      'no confirmed word is missing',
    );
    await Promise.all([older.close(), newer.close()]);
  });
});
