/** Two devices with the same key whose streams are on two engines, for tests of a fleet. */
import { performance } from 'node:perf_hooks';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import type { Sql } from '../../src/store/client/database.js';
import type { Service, User } from './service.js';
import { until } from './until.js';

/** A device that transcribes its speech itself and sends text, so that tests know each of its words. */
export class Device {
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

  /** The words that the engine has sent back. They must be stored. */
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

/** Opens a stream with a word on the first engine, and later a stream of the same key on the second engine. */
export const openPair = async (services: readonly [Service, Service], sql: Sql, uid: string) => {
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
  const allStored = () => until(async () => (await words()).length >= said().length, 'all words are stored');
  await older.connect();
  older.say();
  await allStored();
  await newer.connect();
  return { older, newer, epochs, words, said, allStored };
};
