export { type Analysis, loadAnalysis, melBands, melFrames } from './analysis.js';
export * from './core.js';
export { loadFrameCopier } from './frame-copier.js';
export { coreWarning, loadCore } from './load.js';
export { coreOptions } from './options.js';
export { addPinkNoise } from './pink-noise.js';
export { raiseThreadPriority } from './thread-priority.js';
