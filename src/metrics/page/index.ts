/** The Prometheus page of an engine. */
export { startMetricsServer } from './server.js';
