/**
 * `cochlea doctor` checks the bus, and `cochlea bus accounts` makes the credentials and the accounts for the servers.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import t from 'tap';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { checkBus } from '../../src/bus/nats/check-bus.js';
import { openBus } from '../../src/bus/open-bus.js';
import type { Bus } from '../../src/bus/subjects/bus.js';
import { nodeStream } from '../../src/bus/subjects/nodes.js';
import { CochleaError } from '../../src/errors/index.js';
import { createLogger } from '../../src/log/logger.js';
import { openFolder } from '../support/folder.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, startNats } from '../support/servers/nats.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));
const skip = withoutNats;

t.test('the check names what is missing', { skip }, async (t) => {
  const [always, seldom] = [await startNats(t), await startNats(t, { sync: false })];
  const check = (env: NodeJS.ProcessEnv): Promise<string> => checkBus(busSettings(env));
  t.match(
    await check({ NATS_URL: always.url }),
    /^nats-server 2\.\d+\.\d+, one server, the bucket cochlea_nodes does not exist yet.*cannot be seen by a client/,
  );
  t.match(await check({ NATS_URL: always.url, NATS_MONITORS: always.monitor }), /syncs always; plain/);
  await t.rejects(check({ NATS_URL: seldom.url, NATS_MONITORS: seldom.monitor }), {
    code: 'bus_unfit',
    message: /has no "sync_interval: always"/,
  });
  await t.rejects(check({ NATS_URL: always.url, NATS_MONITORS: 'http://127.0.0.1:1' }), {
    code: 'bus_unfit',
    message: /does not answer/,
  });
  await t.rejects(check({ NATS_URL: 'nats://127.0.0.1:1' }), { code: 'bus_unreachable' });
  const without = await startNats(t, {
    lines: ['accounts { A { users: [ { user: u, password: p } ] } }', 'no_auth_user: u'],
  });
  await t.rejects(check({ NATS_URL: without.url }), {
    code: 'bus_unfit',
    message: /JetStream is not available/,
  });
});

t.test('three servers keep three copies of the node registry', { skip, timeout: 180_000 }, async (t) => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join();
  const servers = await Promise.all(
    ports.map((port, index) =>
      startNats(t, {
        lines: [
          `server_name: n${index}`,
          `cluster { name: cochlea, listen: "127.0.0.1:${port}", routes: [${routes}] }`,
        ],
      }),
    ),
  );
  const env = {
    NATS_URL: servers.map(({ url }) => url).join(),
    NATS_MONITORS: servers.map(({ monitor }) => monitor).join(),
  };
  const check = (): Promise<string> => checkBus(busSettings(env));
  t.match(await check(), /3 servers, the bucket cochlea_nodes does not exist yet/);
  const open = async (role: 'engine' | 'sidecar', name: string): Promise<Bus> => {
    const bus = (await openBus(busSettings(env), { role, name }, createLogger('bus', 'silent')))!;
    t.teardown(() => bus.close());
    return bus;
  };
  await open('sidecar', 'a');
  const { members } = await open('engine', 'a');
  await until(() => members!.living.length === 1);
  t.match(
    await check(),
    /3 servers, the bucket cochlea_nodes has 3 copies, SPILL_KEY is empty, .*, syncs always; plain/,
  );
  await servers[0]!.kill();
  const second = await open('engine', 'b');
  await until(() => second.members!.living.length === 2, 'two servers are enough');

  const operator = await connect({ servers: servers.slice(1).map(({ port }) => `127.0.0.1:${port}`) });
  t.teardown(() => operator.close());
  const manager = await jetstreamManager(operator, { checkAPI: false });
  const edit = () => manager.streams.update(nodeStream, { num_replicas: 1 });
  await until(() => edit().then(Boolean, () => false), 'the two servers have a leader');
  // The servers do not apply the change at the same time, and the check may ask a server that has not applied it yet.
  let fault: unknown;
  await until(async () => {
    fault = await checkBus(busSettings({ ...env, NATS_MONITORS: '' })).catch((thrown: unknown) => thrown);
    return fault instanceof CochleaError;
  }, 'the check finds the change');
  t.match(fault, {
    code: 'bus_unfit',
    message: /has 1 of 3 copies; run "nats stream edit KV_cochlea_nodes --replicas 3"/,
  });
});

t.test('the printed accounts admit the credentials', { skip }, async (t) => {
  const folder = join(openFolder(t), 'keys');
  const words = ['bus', 'accounts', '--engine', 'a', '--engine', 'b', '--sidecar', 'a', '--keys', folder];
  const { stdout } = await run(process.execPath, [command, ...words]);
  t.same(readdirSync(folder).sort(), ['engine-a.seed', 'engine-b.seed', 'sidecar-a.seed']);
  for (const name of readdirSync(folder)) {
    t.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    t.notOk(stdout.includes(readFileSync(join(folder, name), 'utf8').trim()), 'no secret is printed');
  }
  t.equal(
    (await run(process.execPath, [command, ...words])).stdout,
    stdout,
    'existing credentials are used again',
  );
  const { url, monitor } = await startNats(t, { lines: stdout.split('\n') });
  const env = {
    NATS_URL: url,
    NATS_NAME: 'a',
    NATS_MONITORS: monitor,
    NATS_ENGINE_CREDENTIALS: join(folder, 'engine-a.seed'),
    NATS_SIDECAR_CREDENTIALS: join(folder, 'sidecar-a.seed'),
  };
  t.match(await checkBus(busSettings(env)), /with credentials of engine and sidecar$/);
  const unusable = await run(process.execPath, [
    command,
    'bus',
    'accounts',
    '--engine',
    'a.b',
    '--keys',
    folder,
  ]).catch((failed: { stderr: string }) => failed);
  t.match(unusable.stderr, /at most 64 letters/);
});
