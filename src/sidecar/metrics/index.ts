/** The sidecar's Prometheus page, and the metrics of voice messages. */
export { startMetricsPage } from './metrics-page.js';
export { createVoiceMetrics, type VoiceMetrics, type VoiceRoute } from './voice-metrics.js';
