export { startMetricsPage } from './metrics-page.js';
export { createVoiceMetrics, type VoiceMetrics, type VoiceRoute } from './voice-metrics.js';
