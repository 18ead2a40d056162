/** When more threads hang in native code than an engine tolerates, it drains and ends. A new engine takes over. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { openFolder } from '../../support/folder.js';
import { metric, serviceOnTestDatabase } from '../../support/service.js';
import { until } from '../../support/until.js';

t.test('an engine with too many stuck threads is replaced by a new engine', async (t) => {
  const faultEnds = join(openFolder(t), 'go-on');
  const service = await serviceOnTestDatabase(t, {
    NODE_OPTIONS: `--import=${new URL('./faulty-thread.js', import.meta.url).href}`,
    FAULT_ENDS: faultEnds,
    SHARDS: '1',
    SHARD_TIMEOUT: '2000',
    COCHLEA_STT: 'discard',
  });
  t.teardown(async () => writeFileSync(faultEnds, ''));
  const user = await service.user('wearer');
  const [engine] = service.processes('cochlea.js engine');
  const conversations = new Set<unknown>();
  const stream = async () => {
    const wearable = await service.wearable(user);
    const event = await wearable.waitFor(({ type }) => type === 'conversation_session', 60_000);
    conversations.add(event?.conversation_id);
    return wearable;
  };
  const { value: limit } = fixedLimits.abandonedShards;
  for (let lost = 1; lost <= limit + 1; lost++) {
    const wearable = await stream();
    process.kill(engine!, 'SIGUSR2');
    t.match(await wearable.closed, { code: 1012, reason: 'shard_lost' });
    if (lost > limit) break;
    await until(async () => (await metric(service, 'shards_replaced_total')) === lost, 'a new shard runs');
    t.same(service.processes('cochlea.js engine'), [engine]);
  }
  const next = await until(
    () => service.processes('cochlea.js engine').find((pid) => pid !== engine),
    'another engine runs',
  );
  t.not(next, engine);
  await until(
    async () => (await fetch(`${service.base}/engine/health/ready`).catch(() => undefined))?.ok,
    'the new engine is ready at the same address',
  );
  const wearable = await stream();
  t.equal(conversations.size, 1, 'the client kept one conversation');
  await wearable.close();
});
