import { monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Ms between two samples. prom-client takes one every 10 ms, which was half of the CPU time of an idle engine. */
const interval = 100;
/** Interval in ms of the samples of prom-client, whose values are replaced. It is the longest that a timer allows. */
export const unusedInterval = 2 ** 31 - 1;

type Delays = Omit<RecordableHistogram, 'record' | 'recordDelta' | 'add'>;

const readings = {
  min: [({ min }) => min, 'The minimum recorded event loop delay.'],
  max: [({ max }) => max, 'The maximum recorded event loop delay.'],
  mean: [({ mean }) => mean, 'The mean of the recorded event loop delays.'],
  stddev: [({ stddev }) => stddev, 'The standard deviation of the recorded event loop delays.'],
  p50: [(delays) => delays.percentile(50), 'The 50th percentile of the recorded event loop delays.'],
  p90: [(delays) => delays.percentile(90), 'The 90th percentile of the recorded event loop delays.'],
  p99: [(delays) => delays.percentile(99), 'The 99th percentile of the recorded event loop delays.'],
} as const satisfies Record<string, readonly [(delays: Delays) => number, string]>;

/** Starts to sample the delays of this thread's event loop. */
export const sampleDelays = (): ReturnType<typeof monitorEventLoopDelay> => {
  const delays = monitorEventLoopDelay({ resolution: interval });
  delays.enable();
  return delays;
};

/**
 * Adds the gauges of event loop delays since the last request of the page, in place of those of prom-client. Their
 * values do not contain the interval between samples.
 * @param delays times between samples, in ns.
 */
export const addLoopDelays = (registry: Registry, delays: Delays): void => {
  const last = Object.keys(readings).at(-1);
  for (const [reading, [read, help]] of Object.entries(readings)) {
    const name = `nodejs_eventloop_lag_${reading}_seconds`;
    // A deviation does not contain the interval.
    const included = reading === 'stddev' ? 0 : interval / 1000;
    registry.removeSingleMetric(name);
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(delays.count === 0 ? 0 : Math.max(0, read(delays) / 1e9 - included));
        if (reading === last) delays.reset();
      },
    });
  }
};
