import { loadAnalysis } from '../../../src/audio/analysis.js';
import { cpuBetween, readCpu } from '../../fleet/process-usage.js';
import { processCpu } from '../../micro/clock.js';
import { prepareEnvironment } from '../../peers/virtual-environment.js';
import type { Row, Skip, SuiteOutcome } from '../../report/envelope.js';
import type { Bound } from '../../rest/bounds.js';
import { startNumpy } from '../../search/numpy.js';
import { startOwn, uid } from '../../search/own.js';
import { startPgVector } from '../../search/pgvector.js';
import { dimensions, exactlyNearest, joined, unitVectors } from '../../search/vectors.js';
import { postgresVersion, startBenchDatabase } from '../database.js';
import { type Contender, measureInRounds, percentilesOf, type Sample, type Watch } from './rounds.js';

export interface SearchOptions extends Watch {
  /** Number of memories of the user. */
  readonly memories: number;
  /** Number of queries in a measurement. */
  readonly queries: number;
  readonly rounds: number;
}

export interface SearchOutcome extends SuiteOutcome {
  readonly bounds: readonly Bound[];
}

const environment = { name: 'python-search', requirements: 'bench/peers/search/requirements.txt' } as const;
const best = 10;
const modes = {
  stored: 'vector to stored records',
  alone: 'ranking alone',
  text: 'text to stored records',
} as const;

/**
 * Returns the recall over all queries: the share of the exact nearest rows that are among the answers. It is 1 if every
 * answer is exact.
 */
const recallOf = (answers: readonly (readonly number[])[], exact: readonly (readonly number[])[]): number => {
  let found = 0;
  exact.forEach((rows, query) => {
    found += rows.filter((row) => answers[query]!.includes(row)).length;
  });
  return found / (exact.length * best);
};

const cpuRatio = (results: readonly Row[], mode: string, peer: string): number | undefined => {
  const of = (contender: string): number | undefined => {
    const row = results.find((one) => one.contender === contender && one.mode === mode);
    return row && row.cpu_ms_per_request! + (row.others_cpu_ms_per_request ?? 0);
  };
  const [own, other] = [of('cochlea'), of(peer)];
  return own === undefined || other === undefined ? undefined : own / other;
};

/**
 * Compares the search in one user's memories with pgvector's exact scan and with numpy: CPU per query, latency, and
 * whether the answers are exact. The comparison with pgvector counts all work of a query, in the asking process and in
 * PostgreSQL. numpy shows the cost of the ranking alone.
 */
export const runSearch = async (options: SearchOptions): Promise<SearchOutcome> => {
  const { memories, queries: count, rounds, tell, signal } = options;
  const vectors = unitVectors(memories, 1);
  const queries = unitVectors(count, 2);
  const exact = queries.map((query) => exactlyNearest(vectors, query, best));
  const stops: (() => Promise<void>)[] = [];
  const skipped: Skip[] = [];
  const versions: Record<string, string> = {};
  const recalls = new Map<string, number>();
  try {
    tell?.(`storing ${memories} memories`);
    const database = await startBenchDatabase(false);
    stops.unshift(database.remove);
    const own = await startOwn(database.url, vectors);
    stops.unshift(own.stop);
    versions.postgresql = await postgresVersion(own.sql);

    /**
     * Runs queries one after the other. Measures the CPU time of this process and of the database that the search uses.
     */
    const measure = async (
      ask: (query: Float32Array, index: number) => Promise<readonly number[] | undefined>,
      databasePid: number | undefined,
      name: string,
    ): Promise<Sample> => {
      const milliseconds: number[] = [];
      const answers: (readonly number[])[] = [];
      const before = databasePid === undefined ? undefined : readCpu(databasePid);
      const cpu = processCpu();
      for (const [index, query] of queries.entries()) {
        const begun = performance.now();
        const answer = await ask(query, index);
        milliseconds.push(performance.now() - begun);
        if (answer) answers.push(answer);
      }
      const taken = (processCpu() - cpu) / 1e6 / count;
      const others = before && cpuBetween(before, readCpu(databasePid!)) / count;
      if (answers.length === count) recalls.set(name, recallOf(answers, exact));
      return {
        ...percentilesOf(milliseconds),
        cpu_ms_per_request: taken,
        ...(others === undefined ? {} : { others_cpu_ms_per_request: others }),
      };
    };
    const labels = (contender: string, mode: string) => ({
      suite: 'search',
      contender,
      mode,
      batch: memories,
    });

    const analysis = loadAnalysis('auto');
    const matrix = joined(vectors);
    const contenders: Contender[] = [
      {
        labels: labels('cochlea', modes.stored),
        measure: () => measure((query) => own.nearest(query), database.pid, 'cochlea'),
      },
      {
        labels: { ...labels('cochlea', modes.alone), isa: analysis.isa },
        measure: () =>
          measure(
            async (query) =>
              analysis.cosineTopK(query, matrix, memories, dimensions, best).map(({ row }) => row),
            undefined,
            `kernel, ${analysis.isa}`,
          ),
      },
    ];
    // A search waits only briefly for the model. So `embed` loads it before the measurement.
    const asked = (text: string) =>
      own.search.find({
        uid,
        kind: 'memory',
        text,
        limit: best,
        read: async (ids) => ids.map((id) => ({ id })),
      });
    if ((await own.search.embed(['warm up'], 'warm up')) === undefined) {
      skipped.push({ suite: 'search', what: modes.text, why: 'the sentence model is not here' });
    } else {
      contenders.push({
        labels: labels('cochlea', modes.text),
        measure: () =>
          measure(
            async (_, index) => void (await asked(`what does she like to do on day ${index}`)),
            database.pid,
            'text',
          ),
      });
    }

    const prepared = await prepareEnvironment(environment);
    if ('skipped' in prepared) {
      for (const what of ['pgvector', 'numpy'])
        skipped.push({ suite: 'search', what, why: prepared.skipped });
    } else {
      tell?.(`storing ${memories} vectors with pgvector`);
      const pgvector = await startPgVector(prepared.python, vectors);
      stops.unshift(pgvector.stop);
      const numpy = await startNumpy(prepared.python, vectors, queries);
      stops.unshift(numpy.stop);
      Object.assign(versions, pgvector.versions, numpy.versions);
      contenders.push(
        {
          labels: labels('pgvector', modes.stored),
          measure: () => measure(pgvector.nearest, pgvector.pid, 'pgvector'),
        },
        {
          labels: labels('numpy', modes.alone),
          measure: async () => {
            const { cpu, milliseconds, rows } = await numpy.measure();
            recalls.set('numpy', recallOf(rows, exact));
            return { ...percentilesOf(milliseconds), cpu_ms_per_request: cpu / count };
          },
        },
      );
    }
    for (const { labels: one, measure: once } of contenders) {
      signal?.throwIfAborted();
      tell?.(`warming up: ${one.contender}, ${one.mode}`);
      await once(0);
    }
    const { results, selfNoise } = await measureInRounds(contenders, rounds, { tell, signal });
    const bounds: Bound[] = [];
    const value = cpuRatio(results, modes.stored, 'pgvector');
    if (value !== undefined) {
      bounds.push({ what: `${modes.stored}: CPU a query, part of pgvector's`, value, most: 1 });
    }
    for (const [name, recall] of recalls) {
      bounds.push({ what: `${name}: share of the nearest that were missed`, value: 1 - recall, most: 0 });
    }
    return { results, selfNoise, skipped, versions, bounds };
  } finally {
    for (const stop of stops) await stop();
  }
};
