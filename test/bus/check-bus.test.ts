/** `cochlea doctor` checks the bus, and `cochlea bus accounts` makes what the servers need. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { checkBus } from '../../src/bus/nats/check-bus.js';
import { openFolder } from '../support/folder.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, startNats } from '../support/servers/nats.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));
const skip = withoutNats;

t.test('the check names what is missing', { skip }, async (t) => {
  const [always, seldom] = [await startNats(t), await startNats(t, { sync: false })];
  const check = (env: NodeJS.ProcessEnv): Promise<string> => checkBus(busSettings(env));
  t.match(
    await check({ NATS_URL: always.url }),
    /^nats-server 2\.\d+\.\d+, one server, .*cannot be seen by a client/,
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
