import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { listenError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
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
  splitLabels,
} from '../index.js';
import { addLoopDelays, sampleDelays, unusedInterval } from './loop-delay.js';

export interface MetricsServerOptions {
  readonly host: string;
  /** Port of the page; 0: any free port. */
  readonly port: number;
  readonly table: MetricsTable;
  readonly log: Logger;
}

export interface MetricsServer {
  readonly port: number;
  /**
   * Adds a gauge that is always 1 and carries information in its labels. The name must end with `_info`.
   * @param rows the label sets of the gauge, one for each line. All sets have the same label names.
   */
  describe(name: string, help: string, ...rows: readonly Readonly<Record<string, string>>[]): void;
  close(): Promise<void>;
}

const prefix = 'cochlea_';

/** Creates a registry with prom-client's process metrics and all metrics of the table. Each page request reads the table. */
const registryOf = (table: MetricsTable): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: unusedInterval });
  const readingOf = (name: MetricName): number =>
    largestOf.has(name) ? table.largest(name) : table.total(name);
  for (const [family, names] of families(metricOrder)) {
    const first = names[0]!;
    const labelNames = Object.keys(first.labels);
    const common = {
      name: `${prefix}${family}`,
      help: helpOf(first.name),
      labelNames,
      registers: [registry],
    };
    if (isCounter(first.name)) {
      new Counter({
        ...common,
        collect() {
          // A prom-client counter can only be increased. So it is reset and then increased by its whole value.
          this.reset();
          for (const { name, labels } of names) this.inc(labels, readingOf(name));
        },
      });
    } else {
      new Gauge({
        ...common,
        collect() {
          for (const { name, labels } of names) this.set(labels, readingOf(name));
        },
      });
    }
  }
  return registry;
};

interface LabelledName<Name extends string> {
  readonly name: Name;
  readonly labels: Readonly<Record<string, string>>;
}

/** Groups metrics that differ only in their labels. */
const families = <Name extends string>(names: readonly Name[]): Map<string, LabelledName<Name>[]> => {
  const found = new Map<string, LabelledName<Name>[]>();
  for (const name of names) {
    const { family, labels } = splitLabels(name);
    found.set(family, [...(found.get(family) ?? []), { name, labels }]);
  }
  return found;
};

/**
 * Returns the page's text for a histogram with all its labels. A prom-client histogram is not used, because it could
 * only be filled value by value.
 */
const histogramText = (
  table: MetricsTable,
  family: string,
  names: readonly LabelledName<HistogramName>[],
): string => {
  const full = `${prefix}${family}`;
  const lines = names.flatMap(({ name, labels }) => {
    const { counts, sum } = table.distribution(name);
    const written = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const only = written.length === 0 ? '' : `{${written.join(',')}}`;
    let count = 0;
    const buckets = Array.from(counts, (own, bucket) => {
      count += own;
      const bound = `le="${histogramBounds[bucket] ?? '+Inf'}"`;
      return `${full}_bucket{${[...written, bound].join(',')}} ${count}`;
    });
    // A provider without values is left out, because it would fill a hundred lines with zeros.
    return count === 0 && written.length > 0
      ? []
      : [...buckets, `${full}_sum${only} ${sum}`, `${full}_count${only} ${count}`];
  });
  const help = helpOf(names[0]!.name);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} histogram`, ...lines, ''].join('\n');
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
  const delays = sampleDelays();
  addLoopDelays(registry, delays);
  const pageOf = async (): Promise<string> =>
    [
      await registry.metrics(),
      ...[...families(histogramOrder)].map(([family, names]) => histogramText(table, family, names)),
    ].join('\n');
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path !== '/metrics' || !isRead) {
      if (path === '/metrics') response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      else response.writeHead(404).end();
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
    describe(name, help, ...rows) {
      const labelNames = Object.keys(rows[0] ?? {});
      const gauge = new Gauge({ name: `${prefix}${name}`, help, labelNames, registers: [registry] });
      for (const labels of rows) gauge.set(labels, 1);
    },
    async close() {
      delays.disable();
      registry.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
