import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { quantile } from '../micro/stats.js';
import { percentilesOf } from '../suites/rest/rounds.js';
import type { LoadResult } from './load-result.js';
import type { PreparedRequest } from './operations.js';

export interface OpenLoad {
  /** `http://host:port` */
  readonly url: string;
  /** Requests to send, one after another. After the last one, the list starts again. */
  readonly requests: readonly PreparedRequest[];
  /** Number of requests per second. */
  readonly rate: number;
  /** Length of the counted part in ms. */
  readonly milliseconds: number;
  /** Ms of equal load before the counted part. It opens the connections. */
  readonly warmUp: number;
  /** Called when the counted part begins, and again after its last answer. */
  readonly onMeasured?: () => void;
}

/** Maximum number of connections to the server. Only a server that falls behind could keep more of them busy. */
const connections = 32;

interface Phase {
  readonly latencies: number[];
  readonly lateness: number[];
  errors: number;
  refused: number;
}

const newPhase = (): Phase => ({ latencies: [], lateness: [], errors: 0, refused: 0 });

/**
 * Sends requests at a constant rate, even if earlier requests are unanswered. So a slow server does not delay later
 * requests. The latency is the time from sending a request until its answer is read. The client's own delay before
 * sending is counted separately.
 */
export const runOpenLoad = async (load: OpenLoad): Promise<LoadResult> => {
  const { url, requests, rate, milliseconds, warmUp, onMeasured } = load;
  const pool = new Pool(url, { connections, pipelining: 1 });
  const send = async (request: PreparedRequest, due: number, phase: Phase): Promise<void> => {
    const sent = performance.now();
    phase.lateness.push(sent - due);
    try {
      const { statusCode, body } = await pool.request({ ...request, headers: { ...request.headers } });
      await body.arrayBuffer();
      phase.latencies.push(performance.now() - sent);
      if (statusCode < 200 || statusCode > 299) phase.refused++;
    } catch {
      phase.errors++;
    }
  };
  let next = 0;
  const during = async (length: number): Promise<Phase> => {
    const phase = newPhase();
    const pending: Promise<void>[] = [];
    const began = performance.now();
    const count = Math.max(1, Math.round((length / 1000) * rate));
    for (let index = 0; index < count; index++) {
      const due = began + (index * 1000) / rate;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      pending.push(send(requests[next++ % requests.length]!, due, phase));
    }
    await Promise.all(pending);
    return phase;
  };
  try {
    if (warmUp > 0) await during(warmUp);
    onMeasured?.();
    const began = performance.now();
    const { latencies, lateness, errors, refused } = await during(milliseconds);
    const seconds = (performance.now() - began) / 1000;
    onMeasured?.();
    return {
      requests: latencies.length,
      sample: {
        requests_per_s: latencies.length / seconds,
        ...percentilesOf(latencies),
        p99_lateness_ms: quantile(lateness, 0.99),
        errors,
        non_2xx: refused,
      },
    };
  } finally {
    await pool.close();
  }
};
