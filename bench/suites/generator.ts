import { setTimeout as pause } from 'node:timers/promises';
import { countedQuantile } from '../fleet/counted.js';
import { type Generator, type GeneratorOptions, startGenerator } from '../fleet/generator.js';
import { type NullServer, startNullServer } from '../fleet/null-server.js';
import { type Sent, sumOf } from '../fleet/sent.js';
import { loadPackets, packetPath } from '../packets/packets.js';
import type { Report, Row, SuiteOutcome } from '../report/envelope.js';
import { costNames } from '../report/fields.js';
import { judge } from '../report/noise.js';
import { startReport } from '../report/report.js';
import { type Contender, measureInRounds, type Sample, type Watch } from './rest/rounds.js';

export interface GeneratorProofOptions extends Watch {
  readonly streams: number;
  /** Duration of the steady load in seconds. */
  readonly seconds: number;
  /** Number of rounds that compare two processes of the generator. Each round measures three slices. */
  readonly rounds: number;
  /** Length of a slice in seconds. */
  readonly sliceSeconds: number;
  /** Number of the CPU core for the generator; absent: any core. */
  readonly cpu?: number;
}

/** Results of the test of the load generator. */
export interface GeneratorProof extends SuiteOutcome {
  /** Descriptions of the requirements that the generator missed; empty if it met all. */
  readonly broken: readonly string[];
}

/** Maximum p99 of the generator's lateness in ms. */
const latest = 5;
/** Maximum number of CPU cores that the generator may use. */
const mostCores = 1;
/** Number of streams that are opened per second. */
const ramp = 4000;
/** Maximum ms that a stream may take to open after its scheduled time. */
const openTimeout = 20_000;
/** Ms of load before the measurement. The opening of connections disturbs caches and queues for this time. */
const settling = 500;

const openStreams = async (generator: Generator, streams: number, signal?: AbortSignal): Promise<void> => {
  generator.setStreams(streams);
  const end = performance.now() + (streams / ramp) * 1000 + openTimeout;
  while (performance.now() < end) {
    const { open, errors } = await generator.snapshot();
    if (open === streams) return;
    const [kind] = Object.keys(errors);
    if (kind !== undefined) throw new Error(`streams do not open: ${kind}`);
    await pause(50, undefined, { signal });
  }
  throw new Error(`${streams} streams were not open in time`);
};

const costsOf = (sent: Sent, seconds: number): Sample => ({
  ns_per_frame: (sent.cpuMs * 1e6) / sent.framesSent,
  p50_lateness_ms: countedQuantile(sent.lateness, 0.5),
  p99_lateness_ms: countedQuantile(sent.lateness, 0.99),
  max_lateness_ms: countedQuantile(sent.lateness, 1),
  generator_cores: sent.cpuMs / (seconds * 1000),
});

/** Runs a load with the given number of streams. Its length counts from the moment when all streams are open. */
const slice = async (
  generator: Generator,
  streams: number,
  seconds: number,
  signal?: AbortSignal,
): Promise<{ readonly sent: Sent; readonly seconds: number }> => {
  await openStreams(generator, streams, signal);
  await pause(settling, undefined, { signal });
  const { atMs: began } = await generator.snapshot();
  await pause(seconds * 1000, undefined, { signal });
  const snapshot = await generator.snapshot();
  return { sent: sumOf([snapshot]), seconds: (snapshot.atMs - began) / 1000 };
};

/** Returns the changes that `bench compare` would mark between two reports of one generator. */
const marks = (rows: readonly Row[], selfNoise: SuiteOutcome['selfNoise']): string[] => {
  const [a, b] = rows;
  const report: Report = { ...startReport(), self_noise: [...selfNoise] };
  return costNames.flatMap((cost) => {
    if (a?.[cost] === undefined || b?.[cost] === undefined) return [];
    const { verdict } = judge(cost, a, b, [report]);
    return verdict === 'same' ? [] : [`against itself, ${cost} is marked: ${a[cost]} and ${b[cost]}`];
  });
};

const beyond = (row: Row): string[] => {
  const found: string[] = [];
  if (row.p99_lateness_ms! > latest)
    found.push(`p99 of the lateness is ${row.p99_lateness_ms} ms, above ${latest} ms`);
  if (row.generator_cores! > mostCores) found.push(`${row.generator_cores} cores, above ${mostCores}`);
  if (row.errors! > 0) found.push(`errors: ${JSON.stringify(row.errors_by_kind)}`);
  return found;
};

/** Runs a steady load with one generator. Checks that the server receives every sent frame. */
const proveSteady = async (
  server: NullServer,
  settings: GeneratorOptions,
  { streams, seconds, signal }: GeneratorProofOptions,
): Promise<{ readonly costs: Omit<Row, 'suite' | 'contender'>; readonly broken: readonly string[] }> => {
  const generator = await startGenerator(settings);
  let frames = 0;
  const tallied: Generator = {
    ...generator,
    async snapshot() {
      const snapshot = await generator.snapshot();
      frames += snapshot.framesSent;
      return snapshot;
    },
  };
  try {
    const { sent, seconds: measured } = await slice(tallied, streams, seconds, signal);
    const last = await generator.stop();
    const received = await server.frames();
    const errors = { ...sent.errors, ...last.errors };
    const sentInAll = frames + last.framesSent;
    return {
      costs: {
        ...costsOf(sent, measured),
        errors: Object.values(errors).reduce((sum, count) => sum + count, 0),
        errors_by_kind: Object.keys(errors).length === 0 ? undefined : errors,
        frames_sent: sent.framesSent,
        streams_held: streams,
        seconds: measured,
      },
      broken: received === sentInAll ? [] : [`${sentInAll} frames sent, ${received} received`],
    };
  } finally {
    await generator.stop().catch(() => undefined);
  }
};

/**
 * Tests the generator against the null server. First runs a steady load, then compares two generator processes in
 * interleaved slices. No change between the two processes may be marked.
 *
 * `generator_cores` includes the kernel's work for every send, up to the delivery to the receiver's socket.
 */
export const runGenerator = async (options: GeneratorProofOptions): Promise<GeneratorProof> => {
  const { streams, seconds, rounds, sliceSeconds, cpu, tell, signal } = options;
  await loadPackets('speech');
  const server = await startNullServer();
  const query = 'codec=opus&sample_rate=16000&channels=1&language=en';
  const settings: GeneratorOptions = {
    url: server.url,
    classes: [{ name: 'opus', weight: 1, packets: packetPath('speech'), frameMs: 20, query }],
    rampPerS: ramp,
    seed: 1,
    cpu,
  };
  const common = { suite: 'generator', codec: 'opus', material: 'speech', streams } as const;
  const generators: Generator[] = [];
  const contenderOf = async (contender: string): Promise<Contender> => {
    const generator = await startGenerator(settings);
    generators.push(generator);
    return {
      labels: { ...common, contender, mode: 'A/A' },
      measure: async () => {
        const part = await slice(generator, streams, sliceSeconds, signal);
        await openStreams(generator, 0, signal);
        return costsOf(part.sent, part.seconds);
      },
    };
  };
  try {
    tell?.(`${streams} streams, ${seconds} s`);
    const steady = await proveSteady(server, settings, options);
    const row: Row = { ...common, contender: 'generator', mode: 'steady', ...steady.costs };
    const twins = [await contenderOf('generator'), await contenderOf('generator again')];
    const { results, selfNoise } = await measureInRounds(twins, rounds, { tell, signal });
    return {
      results: [row, ...results],
      selfNoise,
      skipped: [],
      versions: {},
      broken: [...beyond(row), ...steady.broken, ...marks(results, selfNoise)],
    };
  } finally {
    await Promise.all(generators.map((generator) => generator.stop().catch(() => undefined)));
    await server.stop();
  }
};
