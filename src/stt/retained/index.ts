/** Retained audio: stores, encodes, uploads, measures and removes it. */
export { openArchive, type RetainedArchive, type RetainedEntry } from './archive.js';
export { openRetainedStore } from './open-store.js';
export { type RetainedRecord, spokenAt } from './record.js';
export { ownersOf } from './removal.js';
export { createRetainer, type RetainAudio, serveRetainer } from './retain.js';
export { RetainedStore } from './store.js';
