import type { Row, Skip, SuiteOutcome } from '../../report/envelope.js';
import { type Bound, boundOfPages, cpuBounds, lateBounds } from '../../rest/bounds.js';
import { requestsAtOnce } from '../../rest/closed-load.js';
import type { Filling } from '../../rest/filling.js';
import { startKeptDatabase } from '../../rest/kept-database.js';
import { busyLoadInThread } from '../../rest/load-thread.js';
import { besidePeer, measureBusy, measureLoad } from '../../rest/measured-load.js';
import { collection, type Operation, operationsOf } from '../../rest/operations.js';
import { timeOffset, timeTenths, walkPages } from '../../rest/pages.js';
import { compareAnswers } from '../../rest/same-answers.js';
import { type RestServer, startFloor, startRestPeer, startSidecarProcess } from '../../rest/servers.js';
import { postgresVersion } from '../database.js';
import { type Contender, measureInRounds, type Watch } from './rounds.js';

export interface RestOptions extends Watch {
  readonly filling: Filling;
  /** Folder that keeps the filled database for the next run. */
  readonly folder: string;
  /** Number of requests per second. */
  readonly rate: number;
  /** Length in ms of a measurement at the constant rate. */
  readonly milliseconds: number;
  /** Number of requests in a measurement with a server that is always busy. */
  readonly busy: number;
  readonly rounds: number;
  /**
   * Number of requests of each route to each server before the measurement. V8 compiles code during the first
   * thousands.
   */
  readonly warmUp: number;
  /**
   * Number of pages that are timed in each tenth of the largest account. 0 skips the measurement of pages and offsets.
   */
  readonly pages: number;
  /** Factor for the rate limits of both servers. */
  readonly rateLimitBoost: number;
  readonly peer: boolean;
  /** Whether to measure a minimal server, too. It is built from the sidecar's packages only. */
  readonly floor?: boolean;
}

export interface RestOutcome extends SuiteOutcome {
  readonly bounds: readonly Bound[];
}

/** Maximum share of the peer's CPU time that a request may take, averaged over all routes. Above it the suite fails. */
const mostCpu = 0.5;
/**
 * Number of warm-up passes through all routes. One is not enough, because V8 recompiles shared code when another route
 * uses it differently.
 */
const warmUpPasses = 2;
/** Number of pages read after each offset. */
const pagesOfOffset = 15;
const offsets = [0, 1_000, 10_000, 50_000, 100_000] as const;

const measurePages = async (
  { url }: RestServer,
  { filling, pages, tell, signal }: RestOptions,
): Promise<{ readonly rows: Row[]; readonly bounds: Bound[] }> => {
  const row = {
    suite: 'rest',
    contender: 'cochlea',
    route: `GET ${collection}`,
    conversations: filling.largest,
  };
  tell?.('page by page through the largest account');
  const walk = await walkPages(url);
  if (walk.conversations !== filling.largest)
    throw new Error(`${walk.conversations} conversations were listed`);
  signal?.throwIfAborted();
  const tenths = await timeTenths(url, walk, pages);
  tell?.(`ms of a page in each tenth: ${tenths.map((ms) => ms.toFixed(2)).join(' ')}`);
  const rows: Row[] = [
    { ...row, mode: 'cursor, first tenth', p50_ms: tenths[0]! },
    { ...row, mode: 'cursor, last tenth', p50_ms: tenths.at(-1)! },
  ];
  for (const offset of offsets.filter((offset) => offset <= filling.largest)) {
    signal?.throwIfAborted();
    rows.push({
      ...row,
      mode: `offset up to ${offset}`,
      p50_ms: await timeOffset(url, offset, pagesOfOffset),
    });
  }
  return { rows, bounds: [boundOfPages(tenths)] };
};

/**
 * Compares the sidecar with a Python peer on one filled database. Measures the CPU per request of three routes while
 * the server is always busy. Measures CPU and latency at a constant rate. Also measures the cost of a page at the end
 * of a large account.
 * @throws Error when the answers of the servers differ.
 */
export const runRest = async (options: RestOptions): Promise<RestOutcome> => {
  const { filling, folder, rate, rounds, rateLimitBoost, pages, tell, signal } = options;
  const database = await startKeptDatabase(folder, filling, tell);
  const servers: RestServer[] = [];
  const skipped: Skip[] = [];
  try {
    const serverOptions = { databaseUrl: database.url, rateLimitBoost };
    const sidecar = await startSidecarProcess(serverOptions);
    servers.push(sidecar);
    const peer = options.peer ? await startRestPeer(serverOptions) : { skipped: 'not asked for' };
    if ('skipped' in peer) skipped.push({ suite: 'rest', what: 'fastapi', why: peer.skipped });
    else servers.push(peer);
    const operations = await operationsOf(database.sql, filling.users);
    if (!('skipped' in peer)) {
      const alike = await compareAnswers([sidecar.url, peer.url], operations);
      tell?.(`${alike} requests are answered alike`);
    }
    const floor = options.floor ? await startFloor(serverOptions) : null;
    if (floor) servers.push(floor);
    const answering = (server: RestServer) =>
      operations.filter(({ route }) => server !== floor || route.startsWith('POST'));
    const busyMode = `${requestsAtOnce} at once`;
    const pacedMode = `${rate} a second`;
    const measures = {
      [busyMode]: (server: RestServer, { requests }: Operation) =>
        measureBusy(server, requests, database.pid, options.busy),
      [pacedMode]: (server: RestServer, { requests }: Operation) =>
        measureLoad(server, requests, database.pid, options),
    };
    const contenders = Object.entries(measures).flatMap(([mode, measure]) =>
      operations.flatMap((operation) =>
        servers
          .filter((server) => answering(server).includes(operation))
          .map(
            (server): Contender => ({
              labels: {
                suite: 'rest',
                contender: server.name,
                route: operation.route,
                mode,
                conversations: filling.conversations,
                rate_limit_boost: rateLimitBoost,
              },
              measure: () => measure(server, operation),
            }),
          ),
      ),
    );
    for (const server of servers) {
      const { name, url } = server;
      for (let pass = 1; pass <= warmUpPasses; pass++) {
        for (const { route, requests } of answering(server)) {
          signal?.throwIfAborted();
          tell?.(`warming up: ${name}, ${route}, ${pass} of ${warmUpPasses}`);
          await busyLoadInThread({ url, requests, count: Math.ceil(options.warmUp / warmUpPasses) });
        }
      }
    }
    const { results, selfNoise } = await measureInRounds(contenders, rounds, { tell, signal });
    const found = pages > 0 ? await measurePages(sidecar, options) : { rows: [], bounds: [] };
    const names = ['cochlea', 'fastapi'] as const;
    const [busy, paced] = [busyMode, pacedMode].map((load) => results.filter(({ mode }) => mode === load));
    return {
      results: [...besidePeer(results, 'fastapi'), ...found.rows],
      selfNoise,
      skipped,
      versions: {
        ...Object.assign({}, ...servers.map(({ versions }) => versions)),
        postgresql: await postgresVersion(database.sql),
      },
      bounds: [
        ...cpuBounds(busy!, names, { most: mostCpu, load: busyMode }),
        ...cpuBounds(paced!, names, { most: mostCpu, load: pacedMode, binding: false }),
        ...lateBounds(paced!, names, (route) => route.startsWith('GET')),
        ...found.bounds,
      ],
    };
  } finally {
    for (const server of servers) await server.stop();
    await database.stop();
  }
};
