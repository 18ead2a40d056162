/** The sidecar's Prometheus page, and the metrics of voice messages and of the clock. */
export { createClockMetric } from './clock-metric.js';
export { createCopyMetrics, type SpillCopyCounts } from './copy-metrics.js';
export { startMetricsPage } from './metrics-page.js';
export { createVoiceMetrics, type VoiceMetrics, type VoiceRoute } from './voice-metrics.js';
