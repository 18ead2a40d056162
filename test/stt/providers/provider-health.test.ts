/** Tests when a failing provider is skipped for a while. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { type BreakerState, type HealthReport, ProviderHealth } from '../../../src/stt/providers/health.js';
import { ProviderNews } from '../../../src/stt/providers/news.js';
import { type DeathReason, ProviderError } from '../../../src/stt/shared/provider-error.js';
import { until } from '../../support/until.js';

const make = (pause = 60_000): { health: ProviderHealth; states: BreakerState[] } => {
  const states: BreakerState[] = [];
  const health = new ProviderHealth({ failures: 3, pause, onState: (_, state) => states.push(state) });
  return { health, states };
};

/** Makes one attempt. @returns its result: `passed over` if the provider was skipped. */
const attempt = async (health: ProviderHealth, provider: string, reason?: DeathReason): Promise<string> => {
  try {
    await health.attempt(provider, async () => {
      if (reason !== undefined) throw new ProviderError(reason);
    });
    return 'connected';
  } catch (thrown) {
    return ProviderHealth.isOpen(thrown) ? 'passed over' : 'failed';
  }
};

t.test('opens the breaker of one provider after three failures in a row', async (t) => {
  const { health, states } = make();
  t.equal(await attempt(health, 'a', 'refused'), 'failed');
  t.equal(await attempt(health, 'a', 'refused'), 'failed');
  t.equal(await attempt(health, 'a'), 'connected', 'a success begins the count anew');
  for (let failure = 0; failure < 3; failure++)
    t.equal(await attempt(health, 'a', 'connect_timeout'), 'failed');
  t.equal(await attempt(health, 'a'), 'passed over');
  t.equal(await attempt(health, 'b'), 'connected', 'others are served');
  t.same(states, ['open']);
});

t.test('ignores failures of one stream, and the absence of the transcriber', async (t) => {
  const { health } = make();
  for (let failure = 0; failure < 10; failure++) {
    await attempt(health, 'a', 'capacity_full');
    health.died('a', 'bad_message');
    await attempt(health, 'a', 'socket_unavailable');
    health.died('a', 'socket_unavailable');
  }
  t.equal(await attempt(health, 'a'), 'connected');
});

t.test('counts streams that end unexpectedly', async (t) => {
  const { health, states } = make();
  for (let death = 0; death < 3; death++) health.died('a', 'connection_lost');
  await nextTurn();
  t.equal(await attempt(health, 'a'), 'passed over');
  t.same(states, ['open']);
});

t.test('makes one attempt after the pause; waiting attempts share its result', async (t) => {
  for (const reason of ['refused', undefined] as const) {
    const { health, states } = make(50);
    for (let failure = 0; failure < 3; failure++) await attempt(health, 'a', 'refused');
    await delay(100);
    let probes = 0;
    const probe = health.attempt('a', async () => {
      probes++;
      await delay(20);
      if (reason !== undefined) throw new ProviderError(reason);
    });
    const others = Promise.all([attempt(health, 'a'), attempt(health, 'a')]);
    await probe.catch(() => undefined);
    t.same(await others, Array(2).fill(reason === undefined ? 'connected' : 'passed over'));
    t.equal(probes, 1);
    t.same(states, ['open', 'half-open', reason === undefined ? 'closed' : 'open']);
  }
});

t.test('shares failures between the shards of a process', async (t) => {
  const shards = [0, 1].map(() => {
    const news = new ProviderNews('one process');
    const health = new ProviderHealth({ failures: 3, pause: 60_000, tell: (report) => news.tell(report) });
    const learned: HealthReport[] = [];
    news.listen((report) => {
      health.learn(report);
      learned.push(report);
    });
    t.teardown(() => news.close());
    return { health, learned };
  });
  const [one, other] = shards as [(typeof shards)[0], (typeof shards)[0]];
  await attempt(one.health, 'a');
  await attempt(one.health, 'a', 'capacity_full');
  await attempt(one.health, 'a', 'refused');
  one.health.died('a', 'connection_lost');
  await until(() => other.learned.length === 2, 'what counts, and no more');
  await attempt(other.health, 'a');
  await until(() => one.learned.length === 1, 'a success after it');
  t.same(one.learned, [{ provider: 'a', failure: null }]);
  for (const health of [one.health, other.health, one.health]) {
    t.equal(await attempt(health, 'a', 'refused'), 'failed', 'the success began the count anew');
  }
  await until(() => other.learned.length === 4 && one.learned.length === 2);
  for (const { health } of shards) t.equal(await attempt(health, 'a'), 'passed over');
  t.equal(await attempt(other.health, 'b'), 'connected');
});
