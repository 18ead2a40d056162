/**
 * Tests two engines behind HAProxy with the sample configuration: affinity, drain, a killed engine, and the client's
 * address.
 */
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { listenUrl } from '../../../src/app/wearable/open-socket.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { type Balancer, startBalancer } from '../../support/servers/balancer.js';
import { withoutHaproxy } from '../../support/servers/find-haproxy.js';
import { descendants, metric, type Service, startService, type User } from '../../support/service.js';
import { until } from '../../support/until.js';

/** Number of streams that one address may open on an engine. */
const opensPerAddress = 240;

/** A device that transcribes its own speech, and whose streams go through the balancer. */
class Device {
  readonly events: { readonly type: string; readonly id?: string; readonly status?: string }[] = [];
  readonly closed: Promise<number>;

  private constructor(
    readonly socket: WebSocket,
    readonly user: User,
    readonly source: string,
  ) {
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const event = String(data) === 'ping' ? undefined : JSON.parse(String(data));
      if (event && !Array.isArray(event)) this.events.push(event);
    });
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  /** Opens a stream. It must not be refused. */
  static async open(balancer: Balancer, user: User, source: string): Promise<Device> {
    const device = new Device(upgrade(balancer, user, { source }), user, source);
    const isReady = () => device.events.some(({ status }) => status === 'ready');
    const code = await Promise.race([until(isReady, 'the stream is ready'), device.closed]);
    if (code !== true) throw new Error(`a stream was refused or closed with ${code}`);
    return device;
  }

  /** The conversation of the stream. */
  get conversation(): string | undefined {
    return this.events.findLast(({ type }) => type === 'conversation_session')?.id;
  }

  say(text: string): void {
    const segments = [{ text, start: 0, end: 0.5, speaker: 'SPEAKER_00' }];
    this.socket.send(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
  }
}

/** Requests a stream from an address of this machine. */
const upgrade = (
  { port, cert }: Balancer,
  { uid, token }: User,
  { source = 'phone', address = '127.0.0.1', headers = {} },
): WebSocket => {
  const query = { custom_stt: 'enabled' };
  const url = listenUrl({ url: `wss://localhost:${port}`, uid, codec: 'pcm8', rate: 8000, source, query });
  return new WebSocket(url, {
    ca: cert,
    localAddress: address,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
};

/** @returns the HTTP status of a refused request for a stream. */
const refusalOf = async (socket: WebSocket): Promise<number> => {
  socket.on('error', () => undefined);
  const [, answer] = await once(socket, 'unexpected-response');
  const { statusCode } = answer;
  answer.destroy();
  return statusCode;
};

t.test('two engines behind HAProxy', { skip: withoutHaproxy, timeout: 300_000 }, async (t) => {
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const ports = [await freePort(), await freePort()] as const;
  const start = (port: number): Promise<Service> =>
    startService(
      t,
      {
        COCHLEA_STT: 'discard',
        DATABASE_URL: url,
        PORT: String(port),
        TLS_PROXY: 'true',
        TRUSTED_PROXIES: '127.0.0.1',
        MAX_OPENS_PER_ADDRESS: String(opensPerAddress),
      },
      async () => undefined,
    );
  // Starts the services one after the other, because each start migrates the database.
  const services = { a: await start(ports[0]), b: await start(ports[1]) };
  const balancer = await startBalancer(t, {
    engines: [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`],
  });
  const streamsOf = (name: 'a' | 'b'): Promise<number> => metric(services[name], 'connections_active');
  const place = new Map<Device, 'a' | 'b'>();
  /** Opens a stream, and records on which engine it is. */
  const open = async (user: User, source = 'phone'): Promise<Device> => {
    const before = await streamsOf('a');
    const device = await Device.open(balancer, user, source);
    place.set(device, (await streamsOf('a')) > before ? 'a' : 'b');
    return device;
  };
  const words = async (): Promise<string[]> => {
    const rows = await sql<{ text: string }[]>`select text from segments where not deleted`;
    return rows.flatMap(({ text }) => text.split(' '));
  };
  const makeUsers = (name: string, count: number): Promise<User[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => services.a.user(`${name}-${i}`)));
  const sources = ['phone', 'desktop', 'friend'];
  let devices: Device[] = [];

  await t.test('streams of one user land on one engine, and no engine has too many', async (t) => {
    // Opens a crowd of streams first. With few streams, the balancer's bound on an engine's share would move many of
    // them.
    for (const user of await makeUsers('crowd', 60)) await open(user);
    const users = await makeUsers('ann', 10);
    for (const user of users) for (const source of sources) devices.push(await open(user, source));
    const placesOf = (user: User) =>
      new Set(devices.filter((device) => device.user === user).map((device) => place.get(device)));
    const together = users.filter((user) => placesOf(user).size === 1).length;
    const [a, b] = [await streamsOf('a'), await streamsOf('b')];
    t.comment(`${together} of ${users.length} users are on one engine; streams: ${a} and ${b}`);
    t.equal(together, users.length);
    t.equal(a + b, 60 + devices.length);
    t.ok(Math.max(a, b) <= Math.ceil((1.25 * (a + b)) / 2), 'at most 125 % of the mean');
  });

  await t.test('an operator can keep new streams from an engine', async (t) => {
    t.equal((await balancer.command('set server streams/a state drain')).trim(), '');
    for (const user of await makeUsers('bob', 8)) t.equal(place.get(await open(user)), 'b');
    t.equal((await balancer.command('set server streams/a state ready')).trim(), '');
  });

  /** Ends an engine, and opens its streams again through the same balancer. @returns the close codes. */
  const moveFrom = async (t: Test, name: 'a' | 'b', end: () => Promise<unknown>): Promise<Set<number>> => {
    const moving = devices.filter((device) => place.get(device) === name);
    t.ok(moving.length > 0, `${moving.length} streams`);
    const before = moving.map(({ conversation }) => conversation);
    for (const [i, device] of moving.entries()) device.say(`${name}-before-${i}`);
    const said = async (when: string): Promise<number> =>
      (await words()).filter((word) => word.startsWith(`${name}-${when}`)).length;
    await until(async () => (await said('before')) === moving.length, 'all words are stored');
    const ending = end();
    const codes = new Set<number>();
    const reopened = await Promise.all(
      moving.map(async (device) => {
        codes.add(await device.closed);
        return Device.open(balancer, device.user, device.source);
      }),
    );
    t.same(
      reopened.map(({ conversation }) => conversation),
      before,
      'their conversations continue',
    );
    for (const [i, device] of reopened.entries()) device.say(`${name}-after-${i}`);
    await until(async () => (await said('after')) === moving.length, 'all words are stored');
    const stored = await words();
    t.equal(new Set(stored).size, stored.length, 'each word once');
    devices = [...devices.filter((device) => !moving.includes(device)), ...reopened];
    for (const device of reopened) place.set(device, name === 'a' ? 'b' : 'a');
    await ending;
    return codes;
  };

  await t.test(
    'an engine drains: its streams continue on the other one, and no open is refused',
    async (t) => {
      t.same(await moveFrom(t, 'a', () => services.a.stop()), new Set([1001]));
    },
  );

  await t.test('an engine is killed: its streams continue on the other one', async (t) => {
    services.a = await start(ports[0]);
    await balancer.untilServer('a', 'UP');
    const kill = async (): Promise<void> => {
      for (const { pid } of descendants(services.b.pid)) process.kill(pid, 'SIGKILL');
    };
    t.same(await moveFrom(t, 'b', kill), new Set([1006]));
    await balancer.untilServer('b', 'DOWN');
  });

  await t.test('the address of a client reaches the engine, and a client cannot choose it', async (t) => {
    const stranger = { uid: 'stranger', token: 'none' };
    const ask = (address: string, forged: string): Promise<number> =>
      refusalOf(upgrade(balancer, stranger, { address, headers: { 'x-forwarded-for': forged } }));
    const seen = new Map<number, number>();
    while (!seen.has(429) && (seen.get(401) ?? 0) < 2 * opensPerAddress) {
      const some = Array.from({ length: 20 }, (_, i) => ask('127.0.0.7', `192.0.2.${i}`));
      for (const status of await Promise.all(some)) seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    t.comment(`opens of one address until its limit: ${seen.get(401)}`);
    t.same(new Set(seen.keys()), new Set([401, 429]));
    t.equal(await ask('127.0.0.8', '127.0.0.7'), 401, 'another address is not limited');
  });
});
