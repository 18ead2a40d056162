/** When an error escapes every handler of the engine or sidecar, streams are drained and the supervisor starts a new process. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { openFolder } from '../../support/folder.js';
import { serviceOnTestDatabase } from '../../support/service.js';
import { until } from '../../support/until.js';

t.test('an uncaught error drains the engine, and another engine takes over', async (t) => {
  // Simulates a bug: on a signal, the process throws an error that no handler catches.
  const thrower = join(openFolder(t), 'thrower.mjs');
  await writeFile(
    thrower,
    "if (/ (engine|sidecar)/.test(process.argv.join(' '))) process.on('SIGUSR2', () => { throw new Error('meet me'); });",
  );
  const service = await serviceOnTestDatabase(t, {
    NODE_OPTIONS: `--import=${pathToFileURL(thrower).href}`,
    COCHLEA_STT: 'discard',
    SHARDS: '1',
  });
  const user = await service.user('user');
  const wearable = await service.wearable(user);
  await wearable.waitFor((event) => event.status === 'ready', 60_000);

  const [engine] = service.processes('cochlea.js engine');
  process.kill(engine!, 'SIGUSR2');
  t.ok(await wearable.waitFor((event) => event.status === 'draining', 60_000), 'the client gets "draining"');
  t.match(await wearable.closed, { code: 1001 });
  const restarted = (words: string, old: number) =>
    until(() => service.processes(words).find((pid) => pid !== old), `another ${words}`);
  t.ok(await restarted('cochlea.js engine', engine!));
  await until(
    async () => (await fetch(`${service.base}/engine/health/ready`).catch(() => undefined))?.ok,
    'the new engine is ready',
  );
  const again = await service.wearable(user);
  t.ok(await again.waitFor((event) => event.status === 'ready', 60_000));

  const [sidecar] = service.processes('cochlea.js sidecar');
  process.kill(sidecar!, 'SIGUSR2');
  t.ok(await restarted('cochlea.js sidecar', sidecar!));
  t.notOk(again.isClosed, 'streams do not depend on the sidecar');
  await again.close();
  const log = readFileSync(service.logFile, 'utf8');
  t.equal(log.match(/an error escaped: closing in order/g)?.length, 2);
  t.notMatch(log, 'meet me');
});
