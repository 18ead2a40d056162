import { createServer } from 'node:http';
import type { Settings } from '../../config/index.js';
import { listenError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { StepMetrics } from '../../pipeline/work/index.js';

/**
 * Serves the sidecar's Prometheus page at `/metrics` on a separate port. Does nothing if `SIDECAR_METRICS_PORT` is not set.
 * @returns a function that closes the page.
 * @throws CochleaError `port_taken`, `setting_invalid`
 */
export const startMetricsPage = async (
  { metricsHost: host, sidecarMetricsPort: port }: Settings,
  metrics: StepMetrics,
  log: Logger,
): Promise<() => Promise<void>> => {
  if (port === 0) return async () => undefined;
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(404).end();
      return;
    }
    metrics.page().then(
      (page) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(page),
      (error: unknown) => {
        log.warn({ err: error }, 'metrics page failed');
        response.writeHead(503).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(listenError(error, { port, host, setting: 'SIDECAR_METRICS_PORT' })),
    );
    server.listen(port, host, resolve);
  });
  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
};
