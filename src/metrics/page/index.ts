/** The Prometheus page of an engine. */
export { type MetricsServer, startMetricsServer } from './server.js';
