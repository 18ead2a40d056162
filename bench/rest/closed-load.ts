import { Pool } from 'undici';
import type { Sample } from '../suites/rest/rounds.js';
import type { LoadResult } from './load-result.js';
import type { PreparedRequest } from './operations.js';

/** Number of concurrent requests. This number keeps a server busy. */
export const requestsAtOnce = 6;

/** Number of uncounted requests at the beginning, as a share of the counted ones. They open the connections. */
const leadPart = 0.1;

export interface ClosedLoad {
  /** `http://host:port` */
  readonly url: string;
  /** Requests to send, one after another. After the last one, the list starts again. */
  readonly requests: readonly PreparedRequest[];
  /** Number of counted requests. */
  readonly count: number;
  /** Called when the counted part begins, and again after its last answer. */
  readonly onMeasured?: () => void;
}

/**
 * Keeps a fixed number of requests in progress. Each answer is followed by the next request, so that the server is
 * always busy.
 */
export const runClosedLoad = async ({
  url,
  requests,
  count,
  onMeasured,
}: ClosedLoad): Promise<LoadResult> => {
  const pool = new Pool(url, { connections: requestsAtOnce, pipelining: 1 });
  let next = 0;
  const send = async (most: number): Promise<Sample> => {
    let [left, errors, refused] = [most, 0, 0];
    const sendNext = async (): Promise<void> => {
      while (left-- > 0) {
        const request = requests[next++ % requests.length]!;
        try {
          const { statusCode, body } = await pool.request({ ...request, headers: { ...request.headers } });
          await body.arrayBuffer();
          if (statusCode < 200 || statusCode > 299) refused++;
        } catch {
          errors++;
        }
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: requestsAtOnce }, sendNext));
    const seconds = (performance.now() - began) / 1000;
    return { requests_per_s: (most - errors) / seconds, errors, non_2xx: refused };
  };
  try {
    await send(Math.ceil(count * leadPart));
    onMeasured?.();
    const sample = await send(count);
    onMeasured?.();
    return { requests: count, sample };
  } finally {
    await pool.close();
  }
};
