import { cpuBetween, readCpu } from '../fleet/process-usage.js';
import type { Row } from '../report/envelope.js';
import type { Sample } from '../suites/rounds.js';
import { loadInThread } from './load-thread.js';
import type { PreparedRequest } from './operations.js';
import type { RestServer } from './servers.js';

export interface MeasuredLoad {
  /** Requests a second. */
  readonly rate: number;
  /** ms of a measurement. */
  readonly milliseconds: number;
}

/** ms of the load before what counts of it. */
const lead = 500;

/** Latency of requests at a constant rate, and what each cost the server and PostgreSQL. */
export const measureLoad = async (
  server: Pick<RestServer, 'url' | 'pid'>,
  requests: readonly PreparedRequest[],
  databasePid: number,
  { rate, milliseconds }: MeasuredLoad,
): Promise<Sample> => {
  const readings: ReturnType<typeof readCpu>[][] = [];
  const onMeasured = () => void readings.push([readCpu(server.pid), readCpu(databasePid)]);
  const { requests: sent, sample } = await loadInThread({
    rate,
    milliseconds,
    url: server.url,
    requests,
    warmUp: lead,
    onMeasured,
  });
  const [own, database] = [0, 1].map((index) => cpuBetween(readings[0]![index]!, readings[1]![index]!));
  return {
    ...sample,
    cpu_ms_per_request: own! / sent,
    others_cpu_ms_per_request: database! / sent,
  };
};

/** Adds to each row of the product how its CPU compares with the peer's. */
export const besidePeer = (results: readonly Row[], peer: string): Row[] =>
  results.map((row) => {
    const other = results.find(
      ({ contender, route }) => contender === peer && row.contender !== peer && route === row.route,
    );
    if (!other) return row;
    return { ...row, ratio: row.cpu_ms_per_request! / other.cpu_ms_per_request!, against: peer };
  });
