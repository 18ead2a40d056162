/** The limits per user and per address apply to both engines of a fleet together. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import t from 'tap';
import { testDatabaseUrl } from '../support/database/database.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { startNats } from '../support/servers/nats.js';
import { metric, type Service, startService, type User } from '../support/service.js';
import { until } from '../support/until.js';

const streamsPerUser = 4;
const opensPerUser = 10;
const opensPerAddress = 60;

const env = {
  COCHLEA_STT: 'discard',
  MAX_STREAMS_PER_USER: String(streamsPerUser),
  MAX_OPENS_PER_USER: String(opensPerUser),
  MAX_OPENS_PER_ADDRESS: String(opensPerAddress),
};

interface Answer {
  readonly status: number;
  /** The sentence with which the engine refuses. */
  readonly detail: string;
  close(): void;
}

const wrong: User = { uid: 'nobody', token: 'wrong' };

let devices = 0;

/** Asks for a stream. Its socket stays open until `close`. */
const open = ({ base }: Service, { uid, token }: User, address?: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      authorization: `Bearer ${token}`,
      'x-device-id-hash': `d${++devices}`,
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    };
    const asked = request(`${base}/v4/listen?uid=${uid}&codec=pcm8&sample_rate=8000`, { headers });
    asked.once('error', reject);
    asked.once('upgrade', (_, socket: Socket) => {
      socket.on('error', () => undefined);
      resolve({ status: 101, detail: '', close: () => socket.destroy() });
    });
    asked.once('response', (response) => {
      let body = '';
      response.on('data', (part: Buffer) => {
        body += part.toString();
      });
      response.once('end', () => {
        resolve({ status: response.statusCode!, detail: body, close: () => undefined });
      });
    });
    asked.end();
  });

const startFleet = async (
  t: Parameters<typeof startNats>[0] & Parameters<typeof testDatabaseUrl>[0],
): Promise<readonly [Service, Service]> => {
  const nats = await startNats(t);
  const url = await testDatabaseUrl(t);
  const start = () =>
    startService(t, { ...env, DATABASE_URL: url, NATS_URL: nats.url }, async () => undefined);
  // Starts the services one after the other, because each start migrates the database.
  const services = [await start(), await start()] as const;
  await until(async () => {
    const engines = await Promise.all(services.map((service) => metric(service, 'cochlea_bus_engines')));
    return engines.every((count) => count === 2);
  }, 'both engines know each other');
  return services;
};

t.test('limits over two engines', { skip: withoutNats, timeout: 300_000 }, async (t) => {
  const services = await startFleet(t);
  const [one, two] = services;

  await t.test('streams of a user', async (t) => {
    const user = await one.user('streams');
    const answers = [
      await open(one, user),
      await open(one, user),
      await open(two, user),
      await open(two, user),
    ];
    t.same(
      answers.map(({ status }) => status),
      [101, 101, 101, 101],
    );
    for (const service of services) {
      // The other engine reports its streams a moment after it has opened them.
      const refused = await until(async () => {
        const answer = await open(service, user);
        if (answer.status === 503) return answer;
        answer.close();
        return undefined;
      }, 'each engine counts both');
      t.match(refused.detail, /Too many open streams/);
    }
    answers[0]!.close();
    const next = await until(async () => {
      const answer = await open(two, user);
      return answer.status === 101 ? answer : undefined;
    }, 'a stream that closed at one engine leaves space at the other');
    for (const answer of [...answers, next]) answer.close();
  });

  await t.test('opens of a user', async (t) => {
    const user = await one.user('opens');
    const asked: Answer[] = [];
    for (let index = 0; index < 8 * opensPerUser; index++) {
      const answer = await open(services[index % 2]!, user);
      answer.close();
      asked.push(answer);
    }
    const opened = asked.filter(({ status }) => status === 101).length;
    const limited = asked.filter(({ status }) => status === 429).length;
    t.comment(
      `${opened} of ${asked.length} opened, ${limited} limited; one engine permits ${2 * opensPerUser} at once`,
    );
    t.ok(opened >= 2 * opensPerUser && opened < 3 * opensPerUser, String(opened));
    t.ok(limited > 0);
  });

  await t.test('opens of an address', async (t) => {
    const asked: Answer[] = [];
    for (let index = 0; index < 4 * opensPerAddress; index++) {
      asked.push(await open(services[index % 2]!, wrong, '203.0.113.7'));
    }
    const checked = asked.filter(({ status }) => status !== 429).length;
    t.comment(`${checked} of ${asked.length} checked; one engine permits ${opensPerAddress} at once`);
    t.ok(checked >= opensPerAddress && checked < 1.5 * opensPerAddress, String(checked));
    const other = await open(one, wrong, '203.0.113.8');
    t.equal(other.status, 401, 'another address is not limited');
  });
});
