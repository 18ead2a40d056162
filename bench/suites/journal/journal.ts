import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import type { SuiteOutcome } from '../../report/envelope.js';
import { type BenchDatabase, postgresVersion, startBenchDatabase } from '../database.js';
import {
  type Contender,
  measureInRounds,
  percentilesOf,
  type Sample,
  summarise,
  type Watch,
} from '../rest/rounds.js';
import { checkStored } from './check.js';
import type { ShardRound } from './shard.js';
import { type JournalShards, startJournalShards } from './shards.js';

export interface JournalBenchOptions extends Watch {
  /** Numbers of segments per commit. Each segment of a commit belongs to a different conversation. */
  readonly batches: readonly number[];
  /** Numbers of shards that commit at the same time. */
  readonly shards: readonly number[];
  /** Length of a measurement in ms. */
  readonly milliseconds: number;
  readonly rounds: number;
  /** Maximum number of commits that are spilled and replayed in a measurement. */
  readonly spillEntries: number;
  /** Whether commits wait for the disk. */
  readonly durable: boolean;
}

/** Ms between two checks of the spill during a replay. The spill is the file of commits that wait for the database. */
const lookEvery = 2;
const replayTimeout = 120_000;

const sampleOf = (rounds: readonly ShardRound[]): Sample => {
  const segments = rounds.reduce((total, round) => total + round.segments, 0);
  const cpus = rounds.map(({ cpuNs }) => cpuNs);
  const cpu = cpus.reduce<number>((total, ns) => total + (ns ?? 0), 0);
  return {
    segments_per_s: rounds.reduce((rate, round) => rate + (round.segments / round.elapsedMs) * 1000, 0),
    ...(cpus.includes(undefined) ? {} : { us_per_segment: cpu / 1000 / segments }),
    ...percentilesOf(rounds.flatMap(({ latencies }) => latencies)),
  };
};

/**
 * Measures a replay. Returns segments per second between the first and the last removal of entries from the spill. If
 * the spill was empty at the first check, there is no such rate. Also returns the ms from the restart of the database
 * to the end of the replay.
 * @param batch number of segments in an entry.
 */
const measureReplay = async (table: MetricsTable, batch: number): Promise<Sample> => {
  const back = performance.now();
  const before = table.total('journal_replayed_total');
  let first: { readonly at: number; readonly replayed: number } | undefined;
  while (table.total('journal_spill_depth') > 0) {
    const at = performance.now();
    const replayed = table.total('journal_replayed_total');
    if (replayed > before) first ??= { at, replayed };
    if (at - back > replayTimeout) throw new Error(`the spill was not replayed within ${replayTimeout} ms`);
    await pause(lookEvery);
  }
  const level = performance.now();
  const rest = first === undefined ? 0 : (table.total('journal_replayed_total') - first.replayed) * batch;
  const rate =
    first === undefined || rest === 0 ? {} : { segments_per_s: (rest / (level - first.at)) * 1000 };
  return { ...rate, ms_to_ready: level - back };
};

/** Stops the database, fills the spill, restarts the database and measures the replay. */
const measureOutage = async (
  database: BenchDatabase,
  shards: JournalShards,
  table: MetricsTable,
  batch: number,
  options: JournalBenchOptions,
): Promise<{ readonly spill: Sample; readonly replay: Sample }> => {
  await database.stop();
  let rounds: ShardRound[];
  try {
    // The first commit makes the journal notice that the database is stopped.
    await shards.run(1, { batch, milliseconds: Number.POSITIVE_INFINITY, mostSegments: 1 });
    const { milliseconds, spillEntries } = options;
    rounds = await shards.run(1, { batch, milliseconds, mostSegments: batch * spillEntries });
  } finally {
    await database.start();
  }
  const lost = rounds.find(({ segments, spilled }) => spilled !== segments);
  if (lost) throw new Error(`${lost.segments - lost.spilled} segments reached a database that was away`);
  return { spill: sampleOf(rounds), replay: await measureReplay(table, batch) };
};

/**
 * Measures the throughput of the journal by size of commit and number of shards. Three kinds of work are measured:
 * writes into the database, writes into the spill while the database is stopped, and the replay of the spill. Each
 * shard commits again after each acknowledgement. Finally every acknowledged segment must be in the database exactly
 * once.
 * @throws Error when a segment is missing or stored twice.
 */
export const runJournal = async (options: JournalBenchOptions): Promise<SuiteOutcome> => {
  const { batches, shards: counts, milliseconds, rounds, durable } = options;
  const { tell, signal } = options;
  const database = await startBenchDatabase(durable);
  const sql = connectDatabase(database.url, { max: 1, name: 'bench' });
  const most = Math.max(...counts);
  const table = new MetricsTable(most);
  let shards: JournalShards | undefined;
  try {
    shards = await startJournalShards(most, {
      databaseUrl: database.url,
      spillDir: join(database.dataDir, 'spill'),
      conversations: Math.max(...batches),
      metrics: table.buffer,
    });
    const journals = shards;
    const row = { suite: 'journal', contender: 'cochlea' } as const;
    const unbounded = Number.POSITIVE_INFINITY;
    const direct = counts.flatMap((count) =>
      batches.map(
        (batch): Contender => ({
          labels: { ...row, mode: 'database', batch, shards: count },
          measure: async () =>
            sampleOf(await journals.run(count, { batch, milliseconds, mostSegments: unbounded })),
        }),
      ),
    );
    // Before the measurement, one round opens all connections and plans the first statements.
    await journals.run(most, { batch: Math.max(...batches), milliseconds: 1, mostSegments: unbounded });
    const stored = await measureInRounds(direct, rounds, { tell, signal });

    const replays = new Map(batches.map((batch) => [batch, [] as Sample[]]));
    const outages = batches.map(
      (batch): Contender => ({
        labels: { ...row, mode: 'spill', batch, shards: 1 },
        measure: async () => {
          const { spill, replay } = await measureOutage(database, journals, table, batch, options);
          replays.get(batch)!.push(replay);
          return spill;
        },
      }),
    );
    const spilled = await measureInRounds(outages, rounds, { tell, signal });
    const replayed = batches.map((batch) => {
      const samples = replays.get(batch)!;
      return { ...row, mode: 'replay', batch, shards: 1, rounds: samples.length, ...summarise(samples) };
    });
    const acknowledged = await journals.acknowledged();
    await journals.close();
    shards = undefined;
    const checked = await checkStored(sql, acknowledged);
    tell?.(`${checked} acknowledged segments, each in the database exactly once`);
    return {
      results: [...stored.results, ...spilled.results, ...replayed],
      selfNoise: [...stored.selfNoise, ...spilled.selfNoise],
      skipped: [],
      versions: { postgresql: await postgresVersion(sql), fsync: durable ? 'on' : 'off' },
    };
  } finally {
    await shards?.close().catch(() => undefined);
    await sql.end({ timeout: 1 });
    await database.remove();
  }
};
