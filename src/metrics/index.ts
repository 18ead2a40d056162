/** Counters, gauges and histograms of an engine in shared memory. */
export { histogramBounds } from './histogram.js';
export { helpOf, isCounter, largestOf, MetricsRow, MetricsTable, metricCell } from './metrics.js';
export { modelCounter } from './model-metrics.js';
export { type HistogramName, histogramOrder, type MetricName, metricOrder } from './names.js';
export { providerDeathReasons, providerLabel, splitLabels } from './provider-metrics.js';
