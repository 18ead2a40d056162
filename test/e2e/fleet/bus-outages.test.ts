/**
 * The bus is killed, paused and cut off while devices speak on two engines. No stream closes, no conversation changes
 * its owner, and the bus is used again without a restart.
 *
 * Environment variables lengthen the test: `BUS_OUTAGE_SECONDS`, `BUS_OUTAGE_ROUNDS` (of each fault) and
 * `BUS_OUTAGE_STREAMS` (docs/development.md).
 */
import { performance } from 'node:perf_hooks';
import t from 'tap';
import type { Wearable } from '../../../src/app/wearable/wearable.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { withoutNats } from '../../support/servers/find-nats.js';
import { startNats } from '../../support/servers/nats.js';
import { startRelay } from '../../support/servers/relay.js';
import { metric, type Service, startService, type User } from '../../support/service.js';
import { until } from '../../support/until.js';

const wanted = (name: string, usual: number): number => Number(process.env[`BUS_OUTAGE_${name}`] ?? usual);
const seconds = wanted('SECONDS', 2);
const rounds = wanted('ROUNDS', 1);
const count = wanted('STREAMS', 10);

/** Ms between two words of a device. */
const pace = 1000;

/** A device that transcribes its own speech. */
class Device {
  readonly said: string[] = [];

  constructor(
    readonly stream: Wearable,
    private readonly name: string,
  ) {}

  static async open(service: Service, user: User): Promise<Device> {
    const query = { custom_stt: 'enabled' };
    const options = { codec: 'pcm8', rate: 8000, source: 'phone', conversationTimeout: 3600, query } as const;
    const stream = await service.wearable(user, options);
    await stream.waitFor((event) => event.status === 'ready', 60_000);
    return new Device(stream, user.uid);
  }

  say(): void {
    const text = `${this.name}-${this.said.length}`;
    this.said.push(text);
    const start = this.said.length;
    const segments = [{ text, start, end: start + 0.5, speaker: 'SPEAKER_00' }];
    this.stream.sendText(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
  }
}

/**
 * Waits for the next second. Times in tokens are whole seconds, so a token issued in the second of a sign-out would
 * stay valid.
 */
const untilNextSecond = ({ token }: User): Promise<unknown> => {
  const { iat } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { iat: number };
  return until(() => Date.now() / 1000 > iat + 1);
};

const timeout = 240_000 + 3 * rounds * (seconds + 60) * 1000;
t.test('the bus fails while devices speak on two engines', { skip: withoutNats, timeout }, async (t) => {
  const nats = await startNats(t);
  const relay = await startRelay(t, nats.port);
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const env = {
    COCHLEA_STT: 'discard',
    DATABASE_URL: url,
    NATS_URL: `nats://127.0.0.1:${relay.port}`,
    // The periodic check runs seldom, so that it cannot be mistaken for an event.
    ACCOUNT_CHECK_INTERVAL: '3600000',
  };
  // Starts the services one after the other, because each start migrates the database.
  const start = () => startService(t, env, async () => undefined);
  const services = [await start(), await start()] as const;
  const [one, two] = services;
  const connected = () =>
    Promise.all(services.map((service) => until(async () => (await metric(service, 'bus_connected')) === 1)));
  /**
   * Returns the number of machines that have noticed that the bus is away. A server that does not answer is noticed
   * after 10 to 15 s.
   */
  const disconnected = async (): Promise<number> => {
    const values = await Promise.all(services.map((service) => metric(service, 'bus_connected')));
    return values.filter((value) => value === 0).length;
  };
  await connected();

  const devices: Device[] = [];
  for (let i = 0; i < count; i++) {
    devices.push(await Device.open(services[i % 2]!, await one.user(`device-${i}`)));
  }
  const closes: number[] = [];
  for (const { stream } of devices) void stream.closed.then(({ code }) => closes.push(code));
  const speaking = setInterval(() => {
    for (const device of devices) device.say();
  }, pace);
  t.teardown(() => clearInterval(speaking));
  const epochs = async (): Promise<number> => {
    const rows = await sql`select sum(epoch)::integer as sum from conversations where uid like 'device-%'`;
    return rows[0]!.sum as number;
  };
  await until(
    async () => (await sql`select 1 from conversations`).length === count,
    'all have a conversation',
  );

  /** Signs a user out on one machine. @returns the ms until the stream on the other machine is closed. */
  const revoke = async (uid: string): Promise<number> => {
    const user = await one.user(uid);
    const stream = await two.wearable(user);
    await stream.waitFor((event) => event.status === 'ready', 60_000);
    await untilNextSecond(user);
    const began = performance.now();
    const answer = await fetch(`${one.base}/v1/users/sessions`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${user.token}` },
    });
    t.equal(answer.status, 204);
    t.equal((await stream.closed).code, 4004);
    return performance.now() - began;
  };

  const faults = [
    { fault: 'killed', begin: nats.kill, end: nats.start },
    { fault: 'paused', begin: nats.pause, end: nats.resume },
    { fault: 'cut off', begin: relay.cut, end: relay.mend },
  ] as const;
  for (let round = 1; round <= rounds; round++) {
    for (const { fault, begin, end } of faults) {
      await t.test(
        `the bus is ${fault}, ${round} of ${rounds}`,
        { timeout: (seconds + 120) * 1000 },
        async (t) => {
          const before = await epochs();
          await begin();
          const ended = performance.now() + 1000 * seconds;
          const spoken = devices[0]!.said.length;
          await until(() => performance.now() > ended, 'the end of the fault', 2000 * seconds + 60_000);
          t.ok(devices[0]!.said.length > spoken, 'devices spoke meanwhile');
          const away = await disconnected();
          const mended = performance.now();
          await end();
          await connected();
          const back = performance.now() - mended;
          const raised = (await epochs()) - before;
          const took = await revoke(`signed-out-${fault.replace(' ', '-')}-${round}`);
          t.comment(
            `${seconds} s, noticed by ${away} of 2 machines: ${closes.length} of ${count} streams closed, ${raised} epochs raised, connected after ${back.toFixed(0)} ms, then a revocation took ${took.toFixed(0)} ms`,
          );
          t.same(closes, [], 'no stream closed');
          t.equal(raised, 0, 'no conversation changed its owner');
        },
      );
    }
  }

  clearInterval(speaking);
  const said = devices.flatMap((device) => device.said).sort();
  const stored = async (): Promise<string[]> => {
    const rows = await sql<{ text: string }[]>`select text from segments where not deleted`;
    return rows.flatMap(({ text }) => text.split(' ')).sort();
  };
  await until(async () => (await stored()).length >= said.length, 'all words are stored');
  t.same(await stored(), said, 'each word once');
});
