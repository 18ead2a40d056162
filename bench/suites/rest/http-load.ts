import autocannon from 'autocannon';
import { percentilesOf, type Sample } from './rounds.js';

export interface HttpLoad {
  /** `http://host:port` */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /**
   * Paths with their queries. Each connection requests them one after another. After the last one, the list starts
   * again.
   */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  /** Length of the load in ms. */
  readonly milliseconds: number;
}

export interface HttpLoadResult {
  readonly requests: number;
  readonly sample: Sample;
}

/**
 * Sends requests on several connections. Each connection sends its next request after the previous answer. Such a
 * client slows down with a slow server. Real users do not, so their latencies may be higher than these percentiles.
 */
export const runHttpLoad = async (load: HttpLoad): Promise<HttpLoadResult> => {
  const { url, method, paths, headers, body, connections, milliseconds } = load;
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: milliseconds / 1000,
        sampleInt: 100,
        requests: paths.map((path) => ({ path, method, headers: { ...headers }, body })),
      },
      (error, finished) => (error ? reject(error) : resolve(finished)),
    );
    instance.on('response', (_client, _status, _bytes, responseTime) => latencies.push(responseTime));
  });
  return {
    requests: latencies.length,
    sample: {
      requests_per_s: latencies.length / result.duration,
      ...percentilesOf(latencies),
      errors: result.errors,
      non_2xx: result.non2xx,
    },
  };
};
