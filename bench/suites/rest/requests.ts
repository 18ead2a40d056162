import { connectDatabase } from '../../../src/store/client/database.js';
import { cpuBetween, familyOf, readCpu } from '../../fleet/process-usage.js';
import { startEngine } from '../../fleet/targets/engine-target.js';
import { freePort } from '../../fleet/targets/free-port.js';
import type { Row, SuiteOutcome } from '../../report/envelope.js';
import { postgresVersion, startBenchDatabase } from '../database.js';
import { type HttpLoad, runHttpLoad } from './http-load.js';
import { seedUser, transcriptOf } from './requests-material.js';
import { type Contender, measureInRounds, type Sample, type Watch } from './rounds.js';

export interface RequestsBenchOptions extends Watch {
  /** Number of conversations of the user whose conversations are read. */
  readonly conversations: number;
  /** Number of segments in each of these conversations, and in each conversation that a request creates. */
  readonly segments: number;
  readonly connections: readonly number[];
  /** Length of a measurement in ms. */
  readonly milliseconds: number;
  readonly rounds: number;
  /** Factor for every rate limit of the sidecar. */
  readonly rateLimitBoost: number;
  /** Whether the database waits for the disk. */
  readonly durable: boolean;
}

/** Number of connections for rows whose requests pass through the front. */
const connectionsThroughFront = 10;
/** Maximum number of different conversations that requests read. */
const mostRead = 200;

interface Operation extends Pick<HttpLoad, 'method' | 'paths' | 'body' | 'headers'> {
  readonly route: string;
}

const collection = '/v1/dev/user/conversations';

const operationsOf = (
  readerKey: string,
  read: readonly string[],
  writerKey: string,
  segments: number,
): readonly Operation[] => {
  const reader = { authorization: `Bearer ${readerKey}` };
  const body = JSON.stringify({
    transcript_segments: transcriptOf(segments),
  });
  return [
    { route: `GET ${collection}`, method: 'GET', headers: reader, paths: [`${collection}?limit=25`] },
    {
      route: `GET ${collection}/{id}`,
      method: 'GET',
      headers: reader,
      paths: read.slice(0, mostRead).map((id) => `${collection}/${id}?include_transcript=true`),
    },
    {
      // Another user creates the conversations, so that the lists of the reading user do not grow.
      route: `POST ${collection}/from-segments`,
      method: 'POST',
      headers: { authorization: `Bearer ${writerKey}`, 'content-type': 'application/json' },
      paths: [`${collection}/from-segments`],
      body,
    },
  ];
};

const processOf = (root: number, words: RegExp): number => {
  const found = familyOf(root).find(({ command }) => words.test(command));
  if (!found) throw new Error(`no process ${words} among those of "cochlea up"`);
  return found.pid;
};

/**
 * Measures the capacity of the REST surface of a complete product with a real database: requests per second, latency,
 * and CPU per request. `cpu_ms_per_request` is the sidecar's CPU time. The row also shows the CPU time of the database
 * and the engine.
 */
export const runRequests = async (options: RequestsBenchOptions): Promise<SuiteOutcome> => {
  const { conversations, segments, connections, milliseconds, rounds, rateLimitBoost, durable } = options;
  const { tell, signal } = options;
  const database = await startBenchDatabase(durable);
  try {
    const sql = connectDatabase(database.url, { max: 4, name: 'bench' });
    tell?.(`making ${conversations} conversations of ${segments} segments`);
    const reader = await seedUser(sql, 'reader', conversations, segments);
    const writer = await seedUser(sql, 'writer', 0, segments);
    const postgresql = await postgresVersion(sql);
    await sql.end({ timeout: 1 });
    const sidecarPort = await freePort();
    const target = await startEngine({
      env: {
        DATABASE_URL: database.url,
        SIDECAR_PORT: String(sidecarPort),
        RATE_LIMIT_BOOST: String(rateLimitBoost),
        // At the default log level, every request logs a line. The measurement includes this cost.
        LOG_LEVEL: 'info',
      },
    });
    try {
      const family = target.familyPid!;
      const sidecar = processOf(family, / sidecar\s*$/);
      const urls = { sidecar: `http://127.0.0.1:${sidecarPort}`, front: target.url.replace(/^ws/, 'http') };
      const measure = async (
        operation: Operation,
        mode: keyof typeof urls,
        count: number,
      ): Promise<Sample> => {
        const usage = () => [readCpu(sidecar), readCpu(family, [sidecar]), readCpu(database.pid)] as const;
        const before = usage();
        const load = { ...operation, url: urls[mode], connections: count, milliseconds };
        const { requests, sample } = await runHttpLoad(load);
        const [own, product, postgres] = usage().map((after, index) => cpuBetween(before[index]!, after));
        return {
          ...sample,
          cpu_ms_per_request: own! / requests,
          others_cpu_ms_per_request: (product! + postgres!) / requests,
        };
      };
      const row = { suite: 'requests', contender: 'cochlea', conversations, segments } as const;
      const contenderOf = (operation: Operation, mode: keyof typeof urls, count: number): Contender => ({
        labels: {
          ...row,
          route: operation.route,
          mode,
          connections: count,
          rate_limit_boost: rateLimitBoost,
        },
        measure: () => measure(operation, mode, count),
      });
      const operations = operationsOf(reader.key, reader.conversations, writer.key, segments);
      const contenders = [
        ...operations.flatMap((operation) =>
          connections.map((count) => contenderOf(operation, 'sidecar', count)),
        ),
        contenderOf(operations[1]!, 'front', connectionsThroughFront),
      ];
      // Every request runs once before the measurement, so that code is compiled and statements are planned.
      for (const { measure } of contenders) {
        signal?.throwIfAborted();
        await measure(0);
      }
      const { results, selfNoise } = await measureInRounds(contenders, rounds, { tell, signal });
      return {
        results,
        selfNoise,
        skipped: [],
        versions: { ...target.versions, postgresql, fsync: durable ? 'on' : 'off' },
      };
    } finally {
      await target.stop();
    }
  } finally {
    await database.remove();
  }
};

/** Returns the rows in which requests failed or were refused, because their numbers are not reliable. */
export const failedRows = (results: readonly Row[]): Row[] =>
  results.filter(({ errors = 0, non_2xx: refused = 0 }) => errors > 0 || refused > 0);
