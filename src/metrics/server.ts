import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { listenError } from '../errors/listen-error.js';
import type { Logger } from '../log/index.js';
import {
  type HistogramName,
  helpOf,
  histogramBounds,
  histogramOrder,
  isCounter,
  largestOf,
  type MetricName,
  type MetricsTable,
  metricOrder,
} from './index.js';

export interface MetricsServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly table: MetricsTable;
  readonly log: Logger;
}

export interface MetricsServer {
  readonly port: number;
  /** Adds a gauge that is always 1 and says what its labels say. Its name ends with `_info`. */
  describe(name: string, help: string, labels: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

const prefix = 'cochlea_';

/** A registry with prom-client's metrics of the process and all metrics of the table, read at each request for the page. */
const registryOf = (table: MetricsTable): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readingOf = (name: MetricName): number =>
    largestOf.has(name) ? table.largest(name) : table.total(name);
  for (const name of metricOrder) {
    const common = { name: `${prefix}${name}`, help: helpOf(name), registers: [registry] };
    if (isCounter(name)) {
      new Counter({
        ...common,
        collect() {
          // A counter of prom-client can only be increased, so it is reset and increased by its whole value.
          this.reset();
          this.inc(readingOf(name));
        },
      });
    } else {
      new Gauge({
        ...common,
        collect() {
          this.set(readingOf(name));
        },
      });
    }
  }
  return registry;
};

/** Text of a histogram for the page. A histogram of prom-client could only be filled value by value. */
const histogramText = (table: MetricsTable, name: HistogramName): string => {
  const { counts, sum } = table.distribution(name);
  const full = `${prefix}${name}`;
  let count = 0;
  const buckets = Array.from(counts, (own, bucket) => {
    count += own;
    return `${full}_bucket{le="${histogramBounds[bucket] ?? '+Inf'}"} ${count}`;
  });
  return [
    `# HELP ${full} ${helpOf(name)}`,
    `# TYPE ${full} histogram`,
    ...buckets,
    `${full}_sum ${sum}`,
    `${full}_count ${count}`,
    '',
  ].join('\n');
};

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, { port, host, setting: 'METRICS_PORT' })));
    server.listen(port, host, resolve);
  });

/**
 * Serves the Prometheus page on `/metrics`, on its own port, from the counters in shared memory.
 * @throws CochleaError port_taken, setting_invalid.
 */
export const startMetricsServer = async (options: MetricsServerOptions): Promise<MetricsServer> => {
  const { host, port, table, log } = options;
  const registry = registryOf(table);
  const pageOf = async (): Promise<string> =>
    [await registry.metrics(), ...histogramOrder.map((name) => histogramText(table, name))].join('\n');
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path !== '/metrics' || !isRead) {
      response.writeHead(path === '/metrics' ? 405 : 404).end();
      return;
    }
    pageOf().then(
      (page) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(page),
      (error: unknown) => {
        log.error({ err: error }, 'metrics page failed');
        response.writeHead(500).end();
      },
    );
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    describe(name, help, labels) {
      const labelNames = Object.keys(labels);
      new Gauge({ name: `${prefix}${name}`, help, labelNames, registers: [registry] }).set(labels, 1);
    },
    async close() {
      registry.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
