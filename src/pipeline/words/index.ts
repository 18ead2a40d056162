/** Transcribes retained audio and uploaded recordings, and adds their words to conversations. */
export { watchRecordings } from './recording-workers.js';
export type { RecordingWork } from './recordings.js';
export { removeAccounts } from './removal.js';
export { type RetainedContext, type RetainedWork, transcribeRetained } from './retained.js';
export { RetainedTurns } from './retained-turns.js';
