import { createHistogram } from 'node:perf_hooks';
import { collectDefaultMetrics, Registry } from 'prom-client';
import t from 'tap';
import { addLoopDelays, unusedInterval } from '../../src/metrics/page/loop-delay.js';

t.test('delays do not contain the interval of the samples, and begin anew with each page', async (t) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: unusedInterval });
  const delays = createHistogram();
  addLoopDelays(registry, delays);
  const read = async (): Promise<Record<string, number>> => {
    const lines = (await registry.metrics()).matchAll(/^nodejs_eventloop_lag_(\w+)_seconds (\S+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name!, Number(value)]));
  };
  for (const milliseconds of [99, 100, 100, 100, 130]) delays.record(milliseconds * 1e6);
  const { min, p50, p90, max, mean, p99 } = await read();
  t.equal(min, 0, 'never below 0');
  for (const [value, expected] of [
    [p50, 0],
    [mean, 0.0058],
    [p90, 0.03],
    [p99, 0.03],
    [max, 0.03],
  ] as const)
    t.ok(Math.abs(value! - expected) < 0.001, `${value} instead of ${expected}`);
  const next = await read();
  t.same(Object.values(next), [0, 0, 0, 0, 0, 0, 0], 'nothing was sampled since the page before');
});
