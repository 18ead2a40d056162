/** Attempts of jobs with their context, cancellation and metrics; removes expired rows. */
export {
  attemptExpiry,
  errorCode,
  lostAttempts,
  type Made,
  make,
  mayRepeat,
  retryLimit,
} from './attempts.js';
export type { StepContext } from './context.js';
export { restrained } from './restrained.js';
export { Signal } from './signal.js';
export { counted, createStepMetrics, type StepMetrics } from './step-metrics.js';
export { createSweep, finishOrphans } from './sweeps.js';
