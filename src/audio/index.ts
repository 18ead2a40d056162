/**
 * Loads the native or the portable audio core. Also analyses complete recordings, makes noise, distinguishes Opus audio
 * from keep-alives, and sets the priority of decoding threads.
 */
export { type Analysis, loadAnalysis } from './analysis.js';
export { loadFrameCopier } from './frame-copier.js';
export { coreWarning, loadCore } from './load.js';
export { coreOptions } from './options.js';
export { OpusPace } from './opus-pace.js';
export { addPinkNoise } from './pink-noise.js';
export { raiseThreadPriority } from './thread-priority.js';
