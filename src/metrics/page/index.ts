export { startMetricsServer } from './server.js';
