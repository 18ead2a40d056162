export { watchRecordings } from './recording-workers.js';
export type { RecordingContext, RecordingWork } from './recordings.js';
export { removeAccounts } from './removal.js';
export { type RetainedContext, type RetainedWork, transcribeRetained } from './retained.js';
export { RetainedTurns } from './retained-turns.js';
