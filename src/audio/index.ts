/** Loads the native core or the portable one, and its computations over whole recordings. */
export { type Analysis, loadAnalysis } from './analysis.js';
export { loadFrameCopier } from './frame-copier.js';
export { coreWarning, loadCore } from './load.js';
export { coreOptions } from './options.js';
export { OpusPace } from './opus-pace.js';
export { addPinkNoise } from './pink-noise.js';
export { raiseThreadPriority } from './thread-priority.js';
