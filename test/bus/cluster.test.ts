/** A cluster of three servers, with TLS and credentials: events arrive while any one server is killed. */
import { performance } from 'node:perf_hooks';
import t from 'tap';
import { checkBus } from '../../src/bus/nats/check-bus.js';
import { openBus } from '../../src/bus/open-bus.js';
import type { Bus } from '../../src/bus/subjects/bus.js';
import { serverAccounts } from '../../src/bus/subjects/permissions.js';
import { createLogger } from '../../src/log/logger.js';
import { openFolder } from '../support/folder.js';
import { withoutNats } from '../support/servers/find-nats.js';
import {
  busSettings,
  makeCertificate,
  makeUser,
  startNatsCluster,
  type TestUser,
} from '../support/servers/nats.js';
import { until } from '../support/until.js';

const log = createLogger('bus', 'silent');

interface Member {
  readonly bus: Bus;
  readonly heard: Set<string>;
}

t.test('three servers of which one is killed', { skip: withoutNats, timeout: 240_000 }, async (t) => {
  const tls = makeCertificate(openFolder(t));
  const engines = ['a', 'b', 'c', 'd'].map((name) => makeUser(t, 'engine', name));
  const sidecars = ['a', 'b', 'c', 'd'].map((name) => makeUser(t, 'sidecar', name));
  const lines = serverAccounts([...engines, ...sidecars]);
  const servers = await startNatsCluster(t, { tls, lines });
  const urls = servers.map(({ url }) => url);
  const settingsOf = ({ role, name, file }: TestUser) =>
    busSettings({
      NATS_URL: urls.join(','),
      NATS_CA: tls.cert,
      NATS_NAME: name,
      NATS_MONITORS: servers.map(({ monitor }) => monitor).join(','),
      [`NATS_${role.toUpperCase()}_CREDENTIALS`]: file,
    });
  const join = async (user: TestUser): Promise<Member> => {
    const bus = (await openBus(settingsOf(user), user, log))!;
    t.teardown(() => bus.close());
    const heard = new Set<string>();
    bus.follow('account_changed', (id) => heard.add(id));
    return { bus, heard };
  };
  const readers = await Promise.all(engines.map(join));
  const writers = await Promise.all(sidecars.map(join));
  const all = [...readers, ...writers];
  await until(() => all.every(({ bus }) => bus.connected), 'all are connected');

  let events = 0;
  /**
   * Publishes one event from each writer repeatedly, until every member has received all of these events. @returns the
   * time in ms.
   */
  const exchange = async (): Promise<number> => {
    const began = performance.now();
    const ids = writers.map(() => `user-${events++}`);
    await until(() => {
      for (const [index, { bus }] of writers.entries()) bus.publish('account_changed', ids[index]!);
      return all.every(({ heard }) => ids.every((id) => heard.has(id)));
    }, 'all events arrived');
    return performance.now() - began;
  };

  await t.test('the check finds three servers that sync always', async (t) => {
    t.match(
      await checkBus(settingsOf(engines[0]!)),
      /, 3 servers, .*syncs always; TLS, with credentials of engine$/,
    );
    t.comment(`events of four sidecars reach all members: ${(await exchange()).toFixed(0)} ms`);
  });

  for (const [index, server] of servers.entries()) {
    await t.test(`server ${index + 1} is killed`, async (t) => {
      const { connections } = (await (await fetch(`${server.monitor}/varz`)).json()) as {
        connections: number;
      };
      let lost = 0;
      for (const { bus } of all)
        bus.onChange((connected) => {
          if (!connected) lost++;
        });
      await server.kill();
      const took = await exchange();
      await until(() => all.every(({ bus }) => bus.connected), 'all are connected again');
      t.comment(
        `${lost} of ${all.length} members changed their server; all events after ${took.toFixed(0)} ms`,
      );
      t.equal(lost, connections, 'members of the other servers stay connected');
      // The check fails, because the killed server's monitoring page does not answer. JetStream may also have lost its
      // leader.
      await t.rejects(checkBus(settingsOf(sidecars[0]!)), { code: 'bus_unfit' });
      await server.start();
    });
  }
});
