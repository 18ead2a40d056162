/**
 * Two engines and two sidecars learn of a revoked key, of a sign-out everywhere and of a deleted account, with a bus
 * and without.
 */
import { performance } from 'node:perf_hooks';
import t from 'tap';
import { testDatabaseUrl } from '../../support/database/database.js';
import { withoutNats } from '../../support/servers/find-nats.js';
import { startNats } from '../../support/servers/nats.js';
import { metric, type Service, startService, type User } from '../../support/service.js';
import { until } from '../../support/until.js';

const ask = async (
  { base }: Service,
  credential: string,
  path: string,
  request: { readonly method?: string; readonly json?: object } = {},
): Promise<Response> => {
  const { method = 'GET', json } = request;
  return fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });
};

const own = '/v1/users/settings';
const developer = '/v1/dev/user/conversations';

/**
 * Waits for the next second. Times in tokens are whole seconds, so a token issued in the second of a sign-out would
 * stay valid.
 */
const untilNextSecond = ({ token }: User): Promise<unknown> => {
  const { iat } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { iat: number };
  return until(() => Date.now() / 1000 > iat + 1);
};

const ways = [
  { way: 'the bus', skip: withoutNats },
  { way: 'the database', skip: false },
] as const;

for (const { way, skip } of ways) {
  t.test(`revocations over ${way}`, { skip, timeout: 240_000 }, async (t) => {
    const bus = way === 'the bus' ? { NATS_URL: (await startNats(t)).url } : {};
    const env = {
      COCHLEA_STT: 'discard',
      // The periodic check runs seldom, so that it cannot be mistaken for an event.
      ACCOUNT_CHECK_INTERVAL: '3600000',
      DATABASE_URL: await testDatabaseUrl(t),
      ...bus,
    };
    // Starts the services one after the other, because each start migrates the database.
    const start = () => startService(t, env, async () => undefined);
    const services = [await start(), await start()] as const;
    const [one, two] = services;
    if ('NATS_URL' in bus) {
      for (const service of services) await until(async () => (await metric(service, 'bus_connected')) === 1);
    }
    const openStreams = (user: User) =>
      Promise.all(
        services.map(async (service, index) => {
          // The streams have different sources, so that neither replaces the other.
          const stream = await service.wearable(user, { source: ['phone', 'desktop'][index]! });
          await stream.waitFor((event) => event.status === 'ready', 60_000);
          return stream;
        }),
      );
    /** Waits until both sidecars refuse a credential. */
    const untilRefused = (credential: string, path: string): Promise<unknown> =>
      Promise.all(
        services.map((service) =>
          until(async () => {
            const { status } = await ask(service, credential, path);
            return status === 401 || status === 403;
          }),
        ),
      );
    const accepted = async (credential: string, path: string): Promise<number[]> =>
      Promise.all(services.map(async (service) => (await ask(service, credential, path)).status));

    await t.test('a key', async (t) => {
      const ann = await one.user('ann');
      const made = await ask(one, ann.token, '/v1/dev/keys', { method: 'POST', json: { name: 'test' } });
      const { id, key } = (await made.json()) as { id: string; key: string };
      t.same(await accepted(key, developer), [200, 200], 'both sidecars accept it');
      const began = performance.now();
      t.equal((await ask(one, ann.token, `/v1/dev/keys/${id}`, { method: 'DELETE' })).status, 204);
      await untilRefused(key, developer);
      t.comment(`both sidecars refuse the key after ${(performance.now() - began).toFixed(0)} ms`);
      t.same(await accepted(ann.token, own), [200, 200], 'the token of its user stays valid');
    });

    const endings = [
      {
        what: 'a sign-out',
        uid: 'bob',
        end: (user: User) => ask(two, user.token, '/v1/users/sessions', { method: 'DELETE' }),
        status: 204,
      },
      {
        what: 'the deletion of an account',
        uid: 'cam',
        end: (user: User) =>
          ask(two, user.token, '/v1/users/deletion', {
            method: 'POST',
            json: { confirm: 'delete my account' },
          }),
        status: 200,
      },
    ] as const;
    for (const { what, uid, end, status } of endings) {
      await t.test(what, async (t) => {
        const [user, other] = [await one.user(uid), await one.user(`not-${uid}`)];
        const [streams, others] = [await openStreams(user), await openStreams(other)];
        t.same(await accepted(user.token, own), [200, 200], 'both sidecars accept the token');
        await untilNextSecond(user);
        const began = performance.now();
        const since = (): string => (performance.now() - began).toFixed(0);
        t.equal((await end(user)).status, status);
        const closing = Promise.all(streams.map(({ closed }) => closed)).then((closes) => ({
          codes: closes.map(({ code }) => code),
          after: since(),
        }));
        await untilRefused(user.token, own);
        const refused = since();
        const { codes, after } = await closing;
        t.same(codes, [4004, 4004]);
        t.comment(
          `both engines have closed the streams after ${after} ms, both sidecars refuse after ${refused} ms`,
        );
        t.same(
          others.map(({ isClosed }) => isClosed),
          [false, false],
          'streams of another user are open',
        );
        t.same(await accepted(other.token, own), [200, 200]);
      });
    }
  });
}
