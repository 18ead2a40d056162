import { cpuBetween, readCpu } from '../fleet/process-usage.js';
import type { Row } from '../report/envelope.js';
import type { Sample } from '../suites/rest/rounds.js';
import type { LoadResult } from './load-result.js';
import { busyLoadInThread, loadInThread } from './load-thread.js';
import type { PreparedRequest } from './operations.js';
import type { RestServer } from './servers.js';

export interface MeasuredLoad {
  /** Number of requests per second. */
  readonly rate: number;
  /** Length of a measurement in ms. */
  readonly milliseconds: number;
}

type Measured = Pick<RestServer, 'url' | 'pid'>;

/** Ms of load before the counted part. */
const lead = 500;

/**
 * Runs a load. Adds the CPU time per request of the server and PostgreSQL to its result. @param send calls its argument
 * when the counted part begins, and again when it has ended.
 */
const withCpu = async (
  server: Measured,
  databasePid: number,
  send: (onMeasured: () => void) => Promise<LoadResult>,
): Promise<Sample> => {
  const readings: ReturnType<typeof readCpu>[][] = [];
  const { requests, sample } = await send(
    () => void readings.push([readCpu(server.pid), readCpu(databasePid)]),
  );
  const [own, database] = [0, 1].map((index) => cpuBetween(readings[0]![index]!, readings[1]![index]!));
  return {
    ...sample,
    cpu_ms_per_request: own! / requests,
    others_cpu_ms_per_request: database! / requests,
  };
};

/** Measures the latency of requests at a constant rate, and the CPU time per request of the server and PostgreSQL. */
export const measureLoad = (
  server: Measured,
  requests: readonly PreparedRequest[],
  databasePid: number,
  { rate, milliseconds }: MeasuredLoad,
): Promise<Sample> =>
  withCpu(server, databasePid, (onMeasured) =>
    loadInThread({ rate, milliseconds, url: server.url, requests, warmUp: lead, onMeasured }),
  );

/** Measures the CPU time per request of the server and PostgreSQL while the server is always busy. @param count number of requests. */
export const measureBusy = (
  server: Measured,
  requests: readonly PreparedRequest[],
  databasePid: number,
  count: number,
): Promise<Sample> =>
  withCpu(server, databasePid, (onMeasured) =>
    busyLoadInThread({ url: server.url, requests, count, onMeasured }),
  );

/** Adds a field to each row of the product: its CPU time divided by the peer's CPU time. */
export const besidePeer = (results: readonly Row[], peer: string): Row[] =>
  results.map((row) => {
    const other = results.find(
      ({ contender, route, mode }) =>
        contender === peer && row.contender !== peer && route === row.route && mode === row.mode,
    );
    if (!other) return row;
    return { ...row, ratio: row.cpu_ms_per_request! / other.cpu_ms_per_request!, against: peer };
  });
